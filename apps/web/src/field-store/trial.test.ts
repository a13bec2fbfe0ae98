import type { FieldPackage, KeptChange } from '@ensaio/domain'
import { describe, expect, test } from 'vitest'
import type { OwnEntry, StoredPackage } from './database.ts'
import type { Draft } from './entries.ts'
import { openTrial, type Trial } from './trial.ts'
import { undoOf } from './undo.ts'

const PLACE = { parcela: 'p1', variavel: 'v1', avaliacao: null }
const ME = 'meu-celular'

function held(change: Partial<FieldPackage> = {}, envio = 0): StoredPackage {
  const pacote: FieldPackage = {
    ...{ id: 't', versao: 1, nome: 'Soja', cultura: 'Soja', cidade: 'Rio Verde', estado: 'GO' },
    ...{ delineamento: 'DBC', cursor: '5', variaveis: [], avaliacoes: [], exclusoes: [], autores: {} },
    ...{ conflitos: [], valores: [] },
    parcelas: [
      {
        ...{ id: 'p1', numero: 101, codigo: 'A', bloco: 1, linha: 1, coluna: 1 },
        ...{ tratamento: 'T1', nome: null },
      },
    ],
    ...change,
  }
  return {
    ...{ pessoa: 'ana', organizacao: '', experimento: 't', marca: 'm', pacote, levado_em: 0 },
    ...{ cursor: '5', recebidos: 0, envio },
  }
}
const stands = (valor: number, id: string) => ({
  valores: [{ variavel: 'v1', avaliacao: null, valores: [valor], registros: [id] }],
  autores: {
    [id]: { quem: 'Bruno', quando: '2026-03-01T12:00:00Z', aparelho: 'outro', seq: 3, motivo: null },
  },
})
const entry = (seq: number, draft: Partial<Draft> = {}, change: Partial<OwnEntry> = {}): OwnEntry => {
  const { desfaz = null, ...rest } = draft
  return {
    ...{ id: `meu-${seq}`, seq, pessoa: 'ana', organizacao: '', experimento: 't', espera: 1 },
    ...{ estado: 'espera', razao: null, envio: 0, desfaz },
    registro: {
      ...{
        v: 1,
        id: `meu-${seq}`,
        aparelho: ME,
        seq,
        nome: null,
        experimento: 't',
        pacote: 1,
        tipo: 'valor',
      },
      ...{ ...PLACE, amostra: null, valor: 80, motivo: null, base: null, decide: null, desvio_ms: null },
      ...{ quando: '2026-03-12T09:30:00.000-03:00', posicao: null, confirmado: false, arquivo: null },
      rotulos: { parcela: '101', variavel: 'Altura', avaliacao: null },
      ...rest,
    },
    ...change,
  }
}
const kept = (id: string, change: Partial<KeptChange>): KeptChange => ({
  ...{ id, origem: 'campo', aparelho: 'outro', seq: 9, nome: null, tipo: 'valor', ...PLACE, amostra: null },
  ...{ valor: 95, motivo: null, base: null, quando: '2026-03-12T12:00:00Z', confirmado: false },
  ...{
    quem: 'Bruno',
    recebido_em: '2026-03-12T12:00:01Z',
    estado: 'aplicado',
    revisao: id,
    encerrado: false,
  },
  ...change,
})
const value = (trial: Trial) => trial.cell(PLACE).atual.valor

describe('a cell on the phone', () => {
  test('is what the package says, then what came behind it, then what waits here', () => {
    const pack = held(stands(70, 'b'))
    expect(value(openTrial(pack, [], [], 'Ana'))).toBe(70)
    const seen = [kept('c', { base: 'b', valor: 75 })]
    expect(value(openTrial(pack, seen, [], 'Ana'))).toBe(75)
    const own = [entry(1, { base: 'c', valor: 80 })]
    const trial = openTrial(pack, seen, own, 'Ana')
    expect(value(trial)).toBe(80)
    expect(trial.history(PLACE).map(({ quem, valor }) => [quem, valor])).toEqual([
      ['Bruno', 70],
      ['Bruno', 75],
      ['Ana', 80],
    ])
  })

  test('keeps what stands where this phone had not heard of it, and is marked', () => {
    const trial = openTrial(held(), [kept('c', {})], [entry(1, { valor: 80 })], 'Ana')
    expect(value(trial)).toBe(95)
    expect(trial.conflicts()).toEqual([PLACE])
  })

  test('is decided by who gave one of its values, or may decide all of the trial', () => {
    const trial = openTrial(held({ decide: false }), [kept('c', {})], [entry(1, { valor: 80 })], 'Ana')
    const [theirs, mine] = [trial.told('c'), trial.told('meu-1')]
    expect([trial.decides([theirs, mine]), trial.decides([theirs])]).toEqual([true, false])
    expect(openTrial(held({ decide: true }), [kept('c', {})], [], 'Ana').decides([theirs])).toBe(true)
  })

  test('does not take again what was sent before the package came, even where another has replaced it', () => {
    const sent = entry(1, { valor: 80 }, { espera: 0, estado: 'aplicado', envio: 2 })
    const trial = openTrial(held(stands(70, 'b'), 2), [], [sent], 'Ana')
    expect(value(trial)).toBe(70)
    expect(trial.conflicts()).toEqual([])
  })

  test('counts an entry once that comes back from the server', () => {
    const own = entry(1, { valor: 80 }, { espera: 0, estado: 'aplicado', envio: 3 })
    const back = kept(own.id, { aparelho: ME, seq: 1, valor: 80 })
    const trial = openTrial(held({}, 2), [back], [own], 'Ana')
    expect(value(trial)).toBe(80)
    expect(trial.history(PLACE)).toHaveLength(1)
  })

  test('is not changed by an entry that was refused or waits for a place', () => {
    const own = [entry(1, {}, { estado: 'guardado', espera: 0, envio: 1 })]
    expect(value(openTrial(held(), [], own, 'Ana'))).toBeNull()
  })
})

test('an entry is told at its right time where the clock of its phone was wrong', () => {
  const quando = '2026-03-12T14:30:00.000-03:00'
  const own = entry(1, { valor: 80 })
  own.registro.quando = quando
  own.registro.desvio_ms = -5 * 3_600_000
  const theirs = kept('c', { base: own.id, hora_certa: '2026-03-12T13:00:00.000Z' })
  const slow = entry(2, { base: 'c', valor: 81 })
  slow.registro.desvio_ms = 4 * 60_000
  const trial = openTrial(held(), [], [own], 'Ana')
  expect(trial.history(PLACE).map(({ hora_certa }) => hora_certa)).toEqual(['2026-03-12T12:30:00.000Z'])
  const others = openTrial(held(), [theirs], [slow], 'Ana')
  expect(others.history(PLACE).map(({ hora_certa }) => hora_certa)).toEqual([
    '2026-03-12T13:00:00.000Z',
    null,
  ])
  expect(others.others()).toEqual([{ quem: 'Bruno', quando: '2026-03-12T13:00:00.000Z', parcela: 'p1' }])
})

describe('undoing', () => {
  /** Takes back one entry after the other; the values that stood then. */
  const undoAll = (trial: Trial) => {
    const values: unknown[] = []
    for (let seq = 10; seq < 20; seq++) {
      const last = undoOf(trial)
      if (!last) break
      trial.add(entry(seq, last.draft))
      values.push(value(trial))
    }
    return values
  }

  test('takes back the last entries one by one, down to what stood before', () => {
    const own = [entry(1, { base: 'b', valor: 80 }), entry(2, { base: 'meu-1', valor: 90 })]
    expect(undoAll(openTrial(held(stands(70, 'b')), [], own, 'Ana'))).toEqual([80, 70])
    expect(undoAll(openTrial(held(), [], [entry(1)], 'Ana'))).toEqual([null])
  })

  test('takes back a note that came last, before the value under it', () => {
    const note = entry(2, { tipo: 'nota', variavel: null, valor: 'acamada', base: null })
    const trial = openTrial(held(), [], [entry(1, { valor: 80 }), note], 'Ana')
    const last = undoOf(trial)
    expect(last?.draft).toMatchObject({ tipo: 'nota', valor: null, base: note.id, parcela: 'p1' })
    if (last) trial.add(entry(3, last.draft))
    expect(trial.notes('p1').map(({ valor }) => valor)).toEqual(['acamada', null])
    expect(trial.notes('p1').map((told) => trial.isTakenBack(told))).toEqual([true, false])
    expect(value(trial)).toBe(80)
    expect(undoAll(trial)).toEqual([null])
  })

  test('takes back a photo that came last, before the value under it', () => {
    const arquivo = { sha256: 'f'.repeat(64), tamanho: 1000 }
    const photo = entry(2, { tipo: 'foto', valor: null, base: null })
    photo.registro.arquivo = arquivo
    const trial = openTrial(held(), [], [entry(1, { valor: 80 }), photo], 'Ana')
    const last = undoOf(trial)
    expect(last?.draft).toMatchObject({
      tipo: 'foto',
      valor: null,
      base: photo.id,
      desfaz: photo.id,
      ...PLACE,
    })
    if (last) trial.add(entry(3, last.draft))
    expect(trial.photos('p1').map((told) => [told.id, trial.isTakenBack(told)])).toEqual([[photo.id, true]])
    expect(value(trial)).toBe(80)
    expect(undoAll(trial)).toEqual([null])
  })

  test('of a photo that somebody else says to take back changes nothing', () => {
    const theirs = kept('foto-1', { tipo: 'foto', valor: null })
    const back = kept('foto-2', { tipo: 'foto', valor: null, base: 'foto-1', quem: 'Carla' })
    const trial = openTrial(held(), [theirs, back], [], 'Ana')
    expect(trial.photos('p1').map((told) => trial.isTakenBack(told))).toEqual([false])
  })

  test('goes on behind a package that holds the entries already', () => {
    const own = [
      entry(1, { valor: 80 }, { espera: 0, estado: 'aplicado', envio: 1 }),
      entry(2, { base: 'meu-1', valor: 90 }, { espera: 0, estado: 'aplicado', envio: 1 }),
    ]
    expect(undoAll(openTrial(held(stands(90, 'meu-2'), 1), [], own, 'Ana'))).toEqual([80, null])
  })

  test('leaves what another has changed since', () => {
    const own = [entry(1, { valor: 80 }, { espera: 0, estado: 'aplicado', envio: 1 })]
    const trial = openTrial(
      held({}, 0),
      [kept('meu-1', { aparelho: ME, seq: 1, valor: 80 }), kept('c', { base: 'meu-1' })],
      own,
      'Ana',
    )
    expect(undoAll(trial)).toEqual([])
    expect(value(trial)).toBe(95)
  })

  test('never empties a cell because it does not know what stood there', () => {
    const own = [entry(1, { base: 'de-alguem', valor: 80 }, { espera: 0, estado: 'aplicado', envio: 1 })]
    expect(undoAll(openTrial(held(stands(80, 'meu-1'), 1), [], own, 'Ana'))).toEqual([])
  })
})
