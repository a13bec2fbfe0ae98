import { describe, expect, it } from 'vitest'
import { analyse } from './analyse.ts'
import { rebuild } from './rebuilt.ts'
import { readCase, reportOf, trialOf } from './reference/cases.ts'
import { compare } from './reference/compare.ts'

const NAMES = [
  'm01-dic-plantgrowth',
  'm02-dic-insectsprays',
  'm03-dic-desbalanceado',
  'm04-dbc-log',
  'm05-dbc-arcsen',
  'm06-dql-orchardsprays',
  'm07-dbi-milho',
  'm08-dbc-covariavel',
  'm09-dbc-perdidas',
  'm10-fat-toothgrowth',
  'm11-fat-perdidas',
  'm12-fat3-gerado',
  'm13-fat-adicional',
  'm14-psub-aveia',
  'm15-psub-aveia-perdidas',
  'm16-faixas-arroz',
  'm17-dose-plato',
  'm18-dose-semeadura',
  'm19-aacpd',
  'm20-eficacia',
]

/**
 * The file's lower end of Box-Cox in m18 lost its digits (5000^-4 - 1 in double precision): with 60 digits the profile
 * crosses its limit at -4.226673585593063, which `box-cox.test.ts` holds us to.
 */
function isKnown(name: string, difference: string): boolean {
  return name === 'm18-dose-semeadura' && difference.startsWith('/box_cox/ic_baixo')
}

function finite(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => finite(inner, `${path}/${key}`))
}

describe('published and generated trials', () => {
  for (const name of NAMES) {
    const item = readCase(name)
    item.consultas.forEach(({ consulta, esperado }, i) => {
      it(`${name}, query ${i + 1}`, () => {
        if (!item.parcelas || Array.isArray(consulta)) throw new Error('a case of plots')
        const { trial, options } = trialOf(item.parcelas, consulta)
        const answer = analyse(trial, options)
        if ('problema' in answer) throw new Error(answer.problema)
        const scale = Math.max(...trial.y.map((value) => Math.abs(value ?? 0)))
        const reml = answer.anova.metodo === 'reml'
        expect(compare(esperado.analise, answer, { scale, reml }).filter((d) => !isKnown(name, d))).toEqual(
          [],
        )
        expect(finite(answer)).toEqual([])
        expect(JSON.stringify(analyse(trial, options))).toBe(JSON.stringify(answer))
      })
    })
  }

  it('m21-reconstruido', () => {
    const item = readCase('m21-reconstruido')
    const answer = rebuild(reportOf(item))
    expect(compare(item.consultas[0]?.esperado.analise, answer, { scale: 5304 })).toEqual([])
    expect(finite(answer)).toEqual([])
  })
})
