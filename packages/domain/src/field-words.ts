import type { ChangeKind } from './field.ts'
import { formatDateTime } from './format.ts'

export const MISSING_REASONS = {
  perdida: 'Parcela perdida',
  nao_avaliada: 'Não avaliada',
  nao_se_aplica: 'Não se aplica',
  outro: 'Outro',
} as const

/** Why an entry that waited does so no more, as its phone is told that asks again. */
export const DECIDED = 'Já decidido por quem edita o ensaio'

/** A change that stands in a cell, rather than beside it. */
export const fillsCell = ({ tipo }: { tipo: ChangeKind }): boolean => tipo !== 'nota' && tipo !== 'foto'

/** It takes back the note or the photo that it is based on, and says nothing else. */
export const takesBack = ({
  tipo,
  valor,
  base,
}: {
  tipo: ChangeKind
  valor: unknown
  base: string | null
}): boolean => !fillsCell({ tipo }) && valor === null && base !== null

/** Of a label: no I, L, O or U, which are read as others. */
export const LABEL_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const LABEL_LENGTH = 10

/** Changes of one request, and what a phone puts into one at most. */
export const MOST_SENT = 500
export const SENT_BYTES = 250_000

/** Of one file as it is sent, and of one part of it. */
export const PHOTO_MAX_BYTES = 10 * 1024 * 1024
export const PHOTO_PART_BYTES = 256 * 1024
/** Of one plot. */
export const MOST_PLOT_PHOTOS = 20

/** Longest side of a photo as a phone keeps it: as a rule, and where somebody wants more of it. */
export const PHOTO_SIDE = 1_600
export const LARGE_PHOTO_SIDE = 3_000
/** Of one among many on a page. */
export const SMALL_PHOTO_SIDE = 320

/** What the phone says of its queue, always in words and with the number. */
export interface QueueState {
  /** Entries and pictures that are not on the server. */
  waiting: number
  online: boolean
  sending: { at: number; of: number } | null
  /** The server does not know the session any more. */
  signedOut: boolean
  revoked: boolean
  full: boolean
}

export const entries = (n: number): string => `${n} ${n === 1 ? 'registro' : 'registros'}`
export const conflictsLeft = (n: number): string => `${n} ${n === 1 ? 'conflito' : 'conflitos'} para resolver`

export function queueStatus({ waiting, online, sending, signedOut, revoked, full }: QueueState): string {
  if (revoked) return 'Aparelho revogado'
  if (full) return 'Sem espaço neste aparelho'
  if (waiting === 0) return 'Tudo enviado'
  if (signedOut) return `Entre de novo para enviar ${entries(waiting)}`
  if (!online)
    return `Sem internet · ${entries(waiting)} ${waiting === 1 ? 'guardado' : 'guardados'} neste aparelho`
  if (sending) return `Enviando ${sending.at} de ${sending.of}`
  return `${entries(waiting)} para enviar`
}

/** 'a***@campo.com.br': whose it is, without telling all of the address. */
export const maskedEmail = (email: string): string => email.replace(/^(.)[^@]*/, '$1***')

/** How far a phone's clock may be off before it is told. */
const CLOCK_TOLD_MS = 5 * 60_000

/**
 * When something was by the server's clock, where the phone's was off by more than is told, as the phone had measured
 * it; null where its own time is right, or nobody knows. `skewMs`: the server's time minus the phone's.
 */
export function rightTime(quando: string | Date, skewMs: unknown): string | null {
  if (typeof skewMs !== 'number' || Math.abs(skewMs) <= CLOCK_TOLD_MS) return null
  return new Date(new Date(quando).getTime() + skewMs).toISOString()
}

/** '12/03/2026, 09:30', beside what the phone's clock said where that was wrong. */
export const whenSaid = ({
  quando,
  hora_certa,
}: {
  quando: string
  hora_certa?: string | null | undefined
}): string =>
  hora_certa
    ? `${formatDateTime(hora_certa)} (no relógio do aparelho: ${formatDateTime(quando)})`
    : formatDateTime(quando)

/** 'O relógio deste aparelho está 2 h adiantado.'; null where it is right. `skewMs`: the server's time minus ours. */
export function clockSentence(skewMs: number | null): string | null {
  if (skewMs === null || Math.abs(skewMs) <= CLOCK_TOLD_MS) return null
  return `O relógio deste aparelho está ${offBy(skewMs)}.`
}

/** '2 h adiantado' */
function offBy(skewMs: number): string {
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  const minutes = Math.round(seconds / 60)
  const x =
    seconds < 60
      ? `${seconds} s`
      : minutes < 60
        ? `${minutes} min`
        : minutes < 2880
          ? `${Math.round(minutes / 60)} h`
          : `${Math.round(minutes / 1440)} dias`
  return `${x} ${skewMs < 0 ? 'adiantado' : 'atrasado'}`
}

/** However little it is off: 'Relógio: 4 s atrasado em relação ao servidor'. */
export function clockDifference(skewMs: number | null): string {
  if (skewMs === null) return 'Relógio: ainda não foi comparado com o do servidor'
  if (Math.abs(skewMs) < 1000) return 'Relógio: igual ao do servidor'
  return `Relógio: ${offBy(skewMs)} em relação ao servidor`
}
