import { expect, test } from 'vitest'
import { copyText, readCopy } from './copy-file.ts'
import type { OwnEntry } from './database.ts'

const entry: OwnEntry = {
  ...{ id: '0190f000-0000-7000-8000-00000000000a', seq: 7, pessoa: 'ana', organizacao: '' },
  ...{ experimento: 'ensaio', espera: 1, estado: 'espera', razao: null, envio: 0, desfaz: null },
  registro: {
    ...{ v: 1, id: '0190f000-0000-7000-8000-00000000000a', aparelho: 'celular', seq: 7, nome: null },
    ...{ experimento: 'ensaio', pacote: 1, tipo: 'valor', parcela: 'p', variavel: 'v', avaliacao: null },
    ...{ amostra: null, valor: 12.5, motivo: null, base: null, decide: null, desvio_ms: null },
    ...{ quando: '2026-03-12T09:30:00.000-03:00', posicao: null, confirmado: false, arquivo: null },
    rotulos: { parcela: '101', variavel: 'Altura; média', avaliacao: null },
  },
}

test('a copy is read by people and, whole, by the application', () => {
  const text = copyText([entry])
  expect(text).toContain('7;2026-03-12T09:30:00.000-03:00;101;"Altura; média";;valor;12,5;Para enviar;')
  expect(readCopy(text)).toEqual([entry])
})

test('what a spreadsheet would calculate stays a text', () => {
  const noted = { ...entry, registro: { ...entry.registro, tipo: 'nota' as const, valor: '=1+1' } }
  expect(copyText([noted])).toContain(";'=1+1;")
})

test.each(['', 'numero;quando', '#ENSAIO-CAMPO {', '#ENSAIO-CAMPO [{"id":"x"}]'])('%s is no copy', (text) => {
  expect(readCopy(text)).toBeNull()
})
