import { z } from 'zod'

/** What a form's text may hold before it is cleaned: room for blanks and line ends that a copy brings along. */
export const LONGEST_RAW = 1000

/**
 * A text whose length decides before anything else: no pattern, no trimming and no normalising that is chained
 * behind ever meets a longer one. Checks of zod run on after one has failed, unless that one aborts.
 */
export const shortText = (
  longest: number,
  { required, tooLong = `Use no máximo ${longest} caracteres` }: { required?: string; tooLong?: string } = {},
) =>
  z
    .string(required === undefined ? undefined : { error: required })
    .max(longest, { error: tooLong, abort: true })

/**
 * A list whose length decides before any of its members is looked at: whoever sends a million empty ones waits for
 * one sentence, not for a million.
 */
export const list = <T extends z.ZodType>(
  member: T,
  { most, message, required }: { most: number; message: string; required?: string },
) =>
  z.array(member, required === undefined ? undefined : { error: required }).max(most, {
    error: message,
    abort: true,
  })

/** Entries that are each looked at by themselves; too many of them are told as a request that is too large. */
export const batch = ({ most, message }: { most: number; message: string }) =>
  z.array(z.unknown()).refine((entries) => entries.length <= most, {
    error: message,
    abort: true,
    params: { tooLarge: true },
  })

/** A text as it is kept: nothing that nobody can see, one way of writing each letter. */
export function cleaned(value: string): string {
  return (
    value
      // Control characters and lone surrogates part words; what nobody can see is not there.
      .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
      .replace(/\p{Cf}/gu, '')
      .normalize('NFC')
      .trim()
  )
}

/** The name of something: one line, without what nobody can see. */
export const nameText = (most: number, required: string) =>
  shortText(LONGEST_RAW, { required, tooLong: `Use no máximo ${most} caracteres` })
    .overwrite(cleaned)
    .min(1, required)
    .max(most, `Use no máximo ${most} caracteres`)
