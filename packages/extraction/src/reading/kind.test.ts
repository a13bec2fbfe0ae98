import { expect, test } from 'vitest'
import { arrange } from '../document.ts'
import { typed } from '../layout/test-typed.ts'
import { kindFeatures, oddsOfTrial } from './kind.ts'

const oddsOf = (text: string): number => oddsOfTrial(arrange([typed(text)]))

test('the words of a document, each once, whatever ends them and however it is written', () => {
  const features = kindFeatures(
    arrange([typed('\nProdutividade e produtividades: é o RENDIMENTO de 3.612 kg/ha')]),
  )
  expect([...features.keys()].sort()).toEqual(['any', 'produti', 'rendime'])
})

test('a report of a trial is told from a proposal and from minutes by its words', () => {
  const report = `
O ensaio foi conduzido na Fazenda Santa Rita, em solo com 45 % de argila, em blocos casualizados com quatro repetições.
A semeadura foi em outubro e a colheita em março. A testemunha produziu menos; as médias foram comparadas pelo teste de
Tukey. A aplicação foliar aumentou a massa de mil grãos e a produtividade.`
  const proposal = `
Proposta comercial: serão conduzidos ensaios em quatro locais na próxima safra. O orçamento prevê a instalação, as
avaliações e a entrega do relatório final no prazo definido em contrato. Valores previstos por área.`
  const minutes = `
Ata da reunião técnica: os ensaios da safra foram apresentados. Ficou definido que cada equipe informará os resultados das
áreas de soja e milho até a próxima reunião; as propostas serão aprovadas depois.`
  const usual = oddsOf('\n1,5 2,0')
  expect(oddsOf(report)).toBeGreaterThan(usual)
  expect(oddsOf(proposal)).toBeLessThan(usual - 1)
  expect(oddsOf(minutes)).toBeLessThan(usual - 1)
})
