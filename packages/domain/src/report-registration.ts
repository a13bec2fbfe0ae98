import type { RegistrationLine } from './advice-registration.ts'
import { formatDay } from './format.ts'
import type { Counter, ReportBlock } from './report-blocks.ts'

/** A trial's checklist, and of which registration. */
export interface RegistrationOf {
  kind: string
  lines: readonly RegistrationLine[]
}

/** What a registration would ask of the trial; behind the report, and no verdict. */
export function registrationPart({ kind, lines }: RegistrationOf, numbered: Counter): ReportBlock[] {
  return [
    { tipo: 'titulo', texto: 'Para registro no MAPA', nivel: 1, nova_pagina: true },
    { tipo: 'texto', texto: `Registro de: ${kind}.` },
    {
      tipo: 'tabela',
      titulo: `${numbered.table()}. O que um registro pediria.`,
      colunas: ['Situação', 'O que se pede', 'Onde foi lido'].map((nome) => ({ nome, numerica: false })),
      linhas: lines.map(({ estado, regra, dado, fonte }) => [
        ...[estado, dado === null ? regra : `${regra}: ${dado}`],
        `${fonte.titulo}, lido em ${formatDay(fonte.lido_em)}`,
      ]),
      ...{ rodape: [], notas: [], fonte: numbered.source },
    },
    { tipo: 'texto', texto: 'Esta lista ajuda a conferir. Quem decide é o MAPA; leia a norma em vigor.' },
  ]
}
