import {
  type CellValue,
  MISSING_REASONS,
  MOST_PLOT_PHOTOS,
  readEntry,
  sameCellValue,
  shownValue,
} from '@ensaio/domain'
import { useRef, useState } from 'react'
import { isFull } from '../../field-store/database.ts'
import type { Draft } from '../../field-store/entries.ts'
import { pictureOf } from '../../field-store/picture.ts'
import type { CellPlace, FieldVariable, Trial } from '../../field-store/trial.ts'
import { undoOf, whyNoUndo } from '../../field-store/undo.ts'
import { field } from './field.ts'
import { positionAt } from './position.ts'
import { useSettings } from './settings.ts'

const SEEN_MS = 100
const FULL = 'Este valor NÃO foi guardado: o aparelho está sem espaço.'
const PHOTO_FULL = 'Sem espaço para fotos. Envie as que esperam ou libere espaço.'
const NO_PHOTO = 'Esta foto não pôde ser lida. Tire outra.'
const NOT_KEPT = 'Este valor NÃO foi guardado: o navegador não conseguiu escrever. Tente de novo.'

const UNDONE: Partial<Record<Draft['tipo'], string>> = { nota: 'anotação desfeita', foto: 'foto desfeita' }

/** What was said of the last thing that was done: it is kept, it is asked about, or it is not kept. */
export type Said =
  | { kind: 'nothing' }
  | { kind: 'kept'; value: string; plot: string | null }
  | { kind: 'wrong'; message: string }
  | { kind: 'unexpected'; message: string; value: number }
  | { kind: 'lost'; message: string }

/** Keeps what is entered for one cell; only what is on the disk gets its check mark and the next plot. */
export function useEntry({
  trial,
  variable,
  place,
  number,
  next,
  again,
}: {
  trial: Trial
  variable: FieldVariable
  place: CellPlace
  number: number
  next: () => void
  /** The same plot once more, for its next sample. */
  again: () => void
}) {
  const { voz, fotoGrande } = useSettings()
  const [said, setSaid] = useState<Said>({ kind: 'nothing' })
  const [busy, setBusy] = useState(false)
  const keeping = useRef<{ photo: boolean; done: Promise<void> } | null>(null)
  const [developing, setDeveloping] = useState(false)
  const labels = {
    parcela: String(number),
    variavel: variable.nome,
    avaliacao: trial.dates.find(({ id }) => id === place.avaliacao)?.nome ?? null,
  }
  /** @param plot null where the value names its plot itself */
  const keep = async (
    drafts: readonly Draft[],
    value: string,
    behind: () => void,
    plot: string | null = labels.parcela,
  ) => {
    const photo = drafts.some(({ foto }) => foto)
    // What is tapped twice is kept once; a picture and a value wait for each other.
    while (keeping.current) {
      if (keeping.current.photo === photo && !photo) return
      await keeping.current.done
    }
    let finish: () => void = () => undefined
    const done = new Promise<void>((resolve) => {
      finish = resolve
    })
    keeping.current = { photo, done }
    // Drawn only where the store takes longer than anybody sees.
    const slow = setTimeout(setBusy, SEEN_MS, true)
    try {
      const posicao = positionAt(place.parcela)
      if (drafts.length > 0) await field.record(drafts.map((draft) => ({ posicao, ...draft })))
      navigator.vibrate?.(40)
      setSaid({ kind: 'kept', value, plot })
      if (voz) speak(plot === null ? value : `parcela ${plot}, ${value}`)
      behind()
    } catch (error) {
      navigator.vibrate?.([60, 60, 60])
      const full = photo ? PHOTO_FULL : FULL
      setSaid({ kind: 'lost', message: isFull(error) ? full : NOT_KEPT })
    } finally {
      clearTimeout(slow)
      keeping.current = null
      finish()
      setBusy(false)
    }
  }
  const put = (typed: CellValue, confirmado: boolean) => {
    const { atual } = trial.cell(place)
    const samples = variable.amostras ?? 1
    const several = samples > 1 && typeof typed === 'number'
    // All of them stand: what is typed now begins them anew.
    const before = several && Array.isArray(atual.valor) && atual.valor.length < samples ? atual.valor : []
    const valor = several ? [...before, typed] : typed
    const same = !several && atual.id !== null && atual.motivo === null && sameCellValue(atual.valor, valor)
    const draft: Draft = { tipo: 'valor', ...place, valor, base: atual.id, confirmado, rotulos: labels }
    const more = several && before.length + 1 < samples
    return keep(same ? [] : [draft], shownValue(variable, typed), more ? again : next)
  }
  return {
    ...{ said, busy, developing },
    hush: () => setSaid({ kind: 'nothing' }),
    noRoom: () => setSaid({ kind: 'lost', message: PHOTO_FULL }),
    save(text: string) {
      const entered = readEntry(variable, text)
      if (entered.kind === 'value') return void put(entered.value, false)
      navigator.vibrate?.([40, 60, 40])
      if (entered.kind === 'empty')
        setSaid({ kind: 'wrong', message: 'Digite um valor ou escolha “Sem valor”.' })
      else setSaid(entered)
    },
    confirm: (value: number) => void put(value, true),
    missing(reason: keyof typeof MISSING_REASONS) {
      const { atual } = trial.cell(place)
      const draft: Draft = {
        tipo: 'sem_valor',
        ...place,
        valor: null,
        motivo: reason,
        base: atual.id,
        rotulos: labels,
      }
      void keep([draft], `sem valor (${MISSING_REASONS[reason]})`, next)
    },
    note(text: string) {
      const draft: Draft = { tipo: 'nota', parcela: place.parcela, valor: text, rotulos: labels }
      void keep([draft], 'anotação', () => undefined)
    },
    async photo(file: Blob) {
      if (developing) return
      if (photosOf(trial, place.parcela) >= MOST_PLOT_PHOTOS)
        return setSaid({ kind: 'wrong', message: `Esta parcela já tem ${MOST_PLOT_PHOTOS} fotos.` })
      setDeveloping(true)
      const foto = await pictureOf(file, { large: fotoGrande }).catch(() => null)
      setDeveloping(false)
      if (!foto) return setSaid({ kind: 'wrong', message: NO_PHOTO })
      const draft: Draft = { tipo: 'foto', ...place, valor: null, rotulos: labels, foto }
      await keep([draft], 'foto', () => undefined)
    },
    /** The plot of the photo that would be taken back; null where it is none. */
    undoesPhoto(): string | null {
      const last = undoOf(trial)
      return last?.draft.tipo === 'foto' ? last.draft.rotulos.parcela : null
    },
    /** @param back goes to the plot of what was taken back */
    undo(back: (place: CellPlace) => void) {
      const last = undoOf(trial)
      if (!last) return setSaid({ kind: 'wrong', message: whyNoUndo(trial) })
      const { parcela, variavel, avaliacao, rotulos } = last.draft
      const value = `${UNDONE[last.draft.tipo] ?? 'desfeito'} na parcela ${rotulos.parcela}`
      const there = () => {
        if (parcela !== null && variavel) back({ parcela, variavel, avaliacao: avaliacao ?? null })
      }
      void keep([last.draft], value, there, null)
    },
  }
}

/** Photos of a plot, by whomever. */
const photosOf = (trial: Trial, plot: string): number =>
  trial.photos(plot).filter((one) => !trial.isTakenBack(one)).length

function speak(text: string): void {
  const saying = new SpeechSynthesisUtterance(text)
  saying.lang = 'pt-BR'
  speechSynthesis.speak(saying)
}
