import { readFileSync } from 'node:fs'
import {
  type AnalysisAnswer,
  anovaTable,
  type Experiment,
  formatDateTime,
  isDunnett,
  isSignificant,
  type RecordedAnalysis,
  type ReportTable,
  reportTables,
  shownMean,
  TEST_NAMES,
} from '@ensaio/domain'
import { typeset } from '../../jobs/typeset.ts'
import { type CellValue, csvFile } from '../../spreadsheet-cells.ts'
import { workbookOf } from './plot-files.ts'

const TEMPLATE = readFileSync(new URL('./analysis.typ', import.meta.url), 'utf8')

/** A recorded analysis as a file: what was recorded, never computed anew. */
export async function analysisFile(
  record: RecordedAnalysis,
  experiment: Experiment,
  { formato, who }: { formato: 'pdf' | 'xlsx' | 'csv'; who: string },
): Promise<Buffer> {
  const tables = reportTables(record.analise, { experiment, test: record.teste })
  if (formato === 'csv') return Buffer.from(csvFile(tables.flatMap((one) => [...rowsOf(one), []])))
  if (formato === 'xlsx')
    return workbookOf([
      ...tables.map((one, at) => ({ name: at === 0 ? 'Tabela' : `Tabela ${at + 1}`, rows: rowsOf(one) })),
      ...precise(record.analise),
      {
        name: 'Texto',
        rows: [
          ['Frases'],
          ...Object.values(record.analise.frases).map((text) => [text]),
          ['Referências'],
          ...record.analise.referencias.map((text) => [text]),
        ],
      },
    ])
  return typeset({ template: TEMPLATE, data: documentOf(record, experiment, tables) }, who)
}

const rowsOf = ({ titulo, colunas, linhas, rodape, notas }: ReportTable): CellValue[][] => [
  [titulo],
  colunas.map(({ nome }) => nome),
  ...linhas,
  ...rodape,
  ...notas.map((note) => [note]),
]

/** The numbers behind the tables, with all their digits. */
function precise(analysis: AnalysisAnswer): { name: string; rows: CellValue[][] }[] {
  const inside = (dentro: Record<string, string> | null) =>
    dentro === null
      ? ''
      : Object.entries(dentro)
          .map(([key, level]) => `${key} = ${level}`)
          .join(', ')
  return [
    {
      name: 'Médias',
      rows: [
        [
          'Efeito',
          'Dentro de',
          'Nível',
          'n',
          'Média',
          'Ajustada',
          'Na escala original',
          'Erro padrão',
          'IC baixo',
          'IC alto',
          'Letra (Tukey)',
        ],
        ...analysis.grupos.flatMap((group) =>
          group.medias.map((mean): CellValue[] => [
            ...[
              group.efeito,
              inside(group.dentro),
              mean.nivel,
              mean.n,
              mean.media,
              mean.ajustada,
              shownMean(mean),
            ],
            ...[mean.ep, mean.ic_baixo, mean.ic_alto],
            isSignificant(analysis, group) ? (group.letras?.tukey[mean.nivel] ?? '') : '',
          ]),
        ),
      ],
    },
    {
      name: 'Pares',
      rows: [
        [
          'Efeito',
          'Dentro de',
          'a',
          'b',
          'Diferença',
          'Erro padrão',
          't',
          'p t',
          'p Tukey',
          'p SNK',
          'p Duncan',
          'p Bonferroni',
          'p Holm',
        ],
        ...analysis.grupos.flatMap((group) =>
          (group.pares ?? []).map((pair): CellValue[] => [
            ...[
              group.efeito,
              inside(group.dentro),
              pair.a,
              pair.b,
              pair.diferenca,
              pair.ep,
              pair.t,
              pair.p_t,
            ],
            ...[pair.p_tukey, pair.p_snk, pair.p_duncan, pair.p_bonferroni, pair.p_holm],
          ]),
        ),
      ],
    },
    {
      name: 'Dunnett',
      rows: [
        ['Nível', 'Diferença', 'Erro padrão', 't', 'p', 'IC baixo', 'IC alto', '%'],
        ...analysis.grupos.flatMap(({ dunnett }) =>
          isDunnett(dunnett)
            ? dunnett.linhas.map((line): CellValue[] => [
                ...[line.nivel, line.diferenca, line.ep, line.t, line.p, line.ic_baixo, line.ic_alto],
                line.percentual ?? null,
              ])
            : [],
        ),
      ],
    },
    {
      name: 'ANOVA',
      rows: [
        ['FV', 'GL', 'SQ', 'QM', 'F', 'p'],
        ...analysis.anova.linhas.map(({ rotulo, gl, sq, qm, f, p }): CellValue[] => [
          rotulo,
          gl,
          sq,
          qm,
          f,
          p,
        ]),
      ],
    },
  ].filter(({ rows }) => rows.length > 1)
}

function documentOf(record: RecordedAnalysis, experiment: Experiment, tabelas: ReportTable[]) {
  const { analise, quem, quando, retirada, desatualizada, ordem, titulo, teste } = record
  const { nome, cidade, estado, cultivar } = experiment
  const who = [quem, formatDateTime(quando)].filter(Boolean).join(', ')
  return {
    titulo: titulo || analise.variavel.nome,
    ensaio: `${nome}. ${cultivar}, ${cidade}-${estado}. Teste: ${TEST_NAMES[teste]}. Registrada por ${who}${ordem > 1 ? `; é a ${ordem}ª análise registrada desta variável` : ''}.`,
    aviso: retirada
      ? `Análise retirada em ${formatDateTime(retirada.quando)}${retirada.motivo ? `: ${retirada.motivo}` : ''}.`
      : desatualizada
        ? 'Os dados mudaram depois desta análise.'
        : null,
    frases: Object.entries(analise.frases)
      .filter(([key]) => key !== 'retro' && key !== 'pressupostos')
      .map(([, text]) => text),
    conclusao: record.conclusao,
    tabelas,
    anova: anovaTable(analise),
    referencias: analise.referencias,
    rodape: `Ensaio · motor ${analise.motor} · dados versão ${analise.dados_versao}`,
  }
}
