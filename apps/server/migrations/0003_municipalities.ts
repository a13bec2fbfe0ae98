import { readFileSync } from 'node:fs'
import { searchable } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../src/database/handle.ts'

/** The 5,571 municipalities; the file is made by scripts/derive-municipalities.mjs. */
export async function up(handle: Handle): Promise<void> {
  const file = new URL('./seed/municipios.csv', import.meta.url)
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(';'))
  const column = (index: number) => rows.map((row) => row[index])
  await sql`
    insert into cidades (codigo_ibge, nome, busca, estado, latitude, longitude)
    select * from unnest(
      ${column(0)}::integer[],
      ${column(1)}::text[],
      ${column(1).map((nome) => searchable(nome ?? ''))}::text[],
      ${column(2)}::text[],
      ${column(3)}::double precision[],
      ${column(4)}::double precision[]
    )`.execute(handle)
}
