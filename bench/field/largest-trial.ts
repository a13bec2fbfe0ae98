import { asking } from '../dashboard/measure.ts'

/** The largest trial that a phone takes along: 1,200 plots of 20 treatments, 10 variables, no value yet. */
const [BLOCKS, TREATMENTS, VARIABLES] = [60, 20, 10]
export const VALUES = BLOCKS * TREATMENTS * VARIABLES

export interface Sheet {
  parcelas: { id: string; numero: number }[]
  variaveis: { id: string; nome: string }[]
}

export async function largestTrial(url: string, token: string): Promise<{ id: string; ficha: Sheet }> {
  const ask = asking(url, token)
  const { experimento } = (await ask('POST', '/api/experiments', {
    ...{ consultoria: 'Cerrado Pesquisa', marca: 'Aminoagro', bu: 'BU1', regional: 'Centro-Oeste' },
    ...{ cidade: 'Rio Verde', estado: 'GO', cultura: 'Soja', cultivar: 'BMX Bônus IPRO', ano: 2024 },
    ...{ tipo_estatistica: 'DBC', custo_protocolo: 0, roi: 0 },
    tratamentos: Array.from({ length: TREATMENTS }, (_, at) => ({
      ...{ nome: at === 0 ? 'Testemunha' : `Produto ${at}`, modalidade: at === 0 ? 'Controle' : 'Foliar' },
      ...{ produtividade: 3500 + at * 10, custo: at },
    })),
  })) as { experimento: { id: string } }
  await ask('PUT', `/api/experiments/${experimento.id}/plots`, {
    ...{ versao: 0, delineamento: 'DBC', testemunha: 1, fatores: [], avaliacoes: [], valores: [] },
    tratamentos: Array.from({ length: TREATMENTS }, (_, at) => ({ numero: at + 1, niveis: null })),
    variaveis: Array.from({ length: VARIABLES }, (_, at) => ({
      ...{ chave: `v${at}`, nome: `Variável ${at}`, unidade: 'cm', tipo: 'continua', papel: 'resposta' },
    })),
    parcelas: Array.from({ length: BLOCKS * TREATMENTS }, (_, at) => {
      const [bloco, coluna] = [Math.floor(at / TREATMENTS) + 1, (at % TREATMENTS) + 1]
      return {
        ...{ numero: bloco * 100 + coluna, bloco, linha: bloco, coluna },
        tratamento: ((coluna - 1 + bloco) % TREATMENTS) + 1,
      }
    }),
  })
  const { ficha } = (await ask('GET', `/api/experiments/${experimento.id}/plots`)) as { ficha: Sheet }
  return { id: experimento.id, ficha }
}

/** One value of each cell, as a phone of its own would have recorded them; of another round under other ids. */
export function changesOf(experimento: string, { parcelas, variaveis }: Sheet, round: number) {
  const aparelho = `00000000-0000-7000-8000-${String(round).padStart(12, '0')}`
  let seq = 0
  return variaveis.flatMap(({ id: variavel, nome }) =>
    parcelas.map(({ id: parcela, numero }) => {
      seq += 1
      const id = `0199${String(round).padStart(4, '0')}-0000-7000-8000-${seq.toString(16).padStart(12, '0')}`
      return {
        ...{ v: 1, id, aparelho, seq, nome: null, experimento, pacote: 1, tipo: 'valor', parcela, variavel },
        ...{ avaliacao: null, amostra: null, valor: 80 + (seq % 40), motivo: null, base: null, decide: null },
        ...{ confirmado: false, posicao: null, arquivo: null, quando: '2026-03-12T09:30:00.000-03:00' },
        ...{ desvio_ms: 0, rotulos: { parcela: String(numero), variavel: nome, avaliacao: null } },
      }
    }),
  )
}
