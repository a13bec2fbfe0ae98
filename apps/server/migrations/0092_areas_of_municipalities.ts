import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Handle } from '../src/database/handle.ts'

/** Areas in km², from the same file as the municipalities; those that are younger than its outlines have none. */
export async function up(handle: Handle): Promise<void> {
  const file = new URL('./seed/municipios.csv', import.meta.url)
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(';'))
    .filter(([, , , , , area]) => area)
  await sql`alter table cidades add column area_km2 double precision check (area_km2 > 0)`.execute(handle)
  await sql`
    update cidades c set area_km2 = a.area
    from unnest(${rows.map(([code]) => code)}::integer[], ${rows.map((row) => row[5])}::double precision[]) as a (codigo, area)
    where c.codigo_ibge = a.codigo
  `.execute(handle)
}
