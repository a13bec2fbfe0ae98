import { parseNumber } from '@ensaio/domain'
import { test } from 'vitest'
import { readEmail, readPkce } from '../features/accounts/credentials/credentials.ts'
import { redirects, withParameters } from '../features/accounts/proofs/redirects.ts'
import { mergeMetadata } from '../features/accounts/users/user-metadata.ts'
import { matches } from '../features/documents/documents.routes.ts'
import { readRange } from '../features/documents/range.ts'
import { readCursor } from '../features/experiments/cursor.ts'
import { parseQuery } from '../features/rest/parse-query.ts'
import { TABLES } from '../features/rest/tables.ts'
import { cleanFilename, pdfBytes } from '../http/upload.ts'
import { wholePdf } from '../http/whole-pdf.ts'
import { expectLinear, filled, INPUTS, shapeOf } from './test-linear.ts'

/** Long texts on which patterns have been seen to go astray, each of about `n` letters. */
const FAMILIES: Record<string, (n: number) => string> = {
  'an address of many dots': (n) => `a@${'a.'.repeat(n / 2)}@`,
  'many at signs': (n) => `${'a@'.repeat(n / 2)} `,
  'one letter': (n) => `${'a'.repeat(n)}!`,
  'blanks before a letter': (n) => `x${' '.repeat(n)}x`,
  tabs: (n) => `${'\t'.repeat(n)}x`,
  'line ends': (n) => `${'\r\n'.repeat(n / 2)}x`,
  digits: (n) => `${'1'.repeat(n)}x`,
  'groups of digits': (n) => `${'1.111'.repeat(n / 5)}x`,
  'dots and commas': (n) => `${'.,'.repeat(n / 2)}x`,
  quotes: (n) => `${'"'.repeat(n)}x`,
  escapes: (n) => `"${'\\'.repeat(n)}`,
  'open brackets': (n) => '('.repeat(n),
  'nested logic': (n) => 'not.and('.repeat(n / 8),
  'commas and blanks': (n) => ' , '.repeat(n / 3),
  colons: (n) => 'a:'.repeat(n / 2),
  percents: (n) => '%'.repeat(n),
  slashes: (n) => `${'../'.repeat(n / 3)}x`,
  'accents that combine': (n) => `a${'\u0301\u0316'.repeat(n / 2)}`,
  'invisible letters': (n) => `${'\u200b'.repeat(n)}x`,
  'half pairs': (n) => '\ud800'.repeat(n),
  'an id that goes on': (n) => '0190b3a0-0000-7000-8000-000000000000-'.repeat(n / 37),
  'base64 that goes on': (n) => `${'QUJD'.repeat(n / 4)}=`,
}

const expectTextLinear = (what: string, work: (text: string) => unknown) => expectLinear(what, FAMILIES, work)

test.each(INPUTS)(
  '%s is read in a time that its length alone decides',
  { timeout: 120_000 },
  (name, schema) => {
    const shape = shapeOf(schema)
    expectTextLinear(name, (text) => schema.safeParse(filled(shape, text)))
  },
)

const experimentos = { name: 'experimentos', columns: TABLES.experimentos ?? {} }
const rest = (query: (text: string) => string) => (text: string) =>
  parseQuery(experimentos, query(encodeURIComponent(text.toWellFormed())), undefined)

const readers: Record<string, (text: string) => unknown> = {
  'a typed number': (text) => parseNumber(text),
  'a typed coordinate': (text) => parseNumber(text, { grouping: false }),
  'an address of auth/v1': readEmail,
  'a challenge of auth/v1': (text) => readPkce({ code_challenge: text, code_challenge_method: 's256' }),
  'what a person says of themselves': (text) => mergeMetadata({}, { name: text, company: text, x: text }),
  'where a link leads': (text) =>
    withParameters(
      redirects({ siteUrl: 'http://localhost', allowed: [] }).safe(`http://localhost/${text}`),
      {},
    ),
  'a file name': cleanFilename,
  'the first bytes of a file': (text) => pdfBytes({ filename: 'a.pdf', bytes: Buffer.from(text) }),
  'the objects of a file': (text) => wholePdf(Buffer.from(`%PDF-1.7 1 ${text}`)),
  'a Range header': (text) => readRange(`bytes=${text}`, 100),
  'an If-None-Match header': (text) => matches(text, '"x"'),
  'a cursor': (text) => readCursor(text, 'roi'),
  'select of rest/v1': rest((text) => `select=${text}`),
  'order of rest/v1': rest((text) => `order=${text}`),
  'a filter of rest/v1': rest((text) => `nome=${text}`),
  'a pattern of rest/v1': rest((text) => `nome=match.${text}`),
  'a list of rest/v1': rest((text) => `nome=in.(${text})`),
  'logic of rest/v1': rest((text) => `or=(${text})`),
  'a column of rest/v1': rest((text) => `${text}=eq.1`),
  'a range of rest/v1': (text) => parseQuery(experimentos, '', text),
}

test.each(Object.entries(readers))(
  '%s is read in a time that its length alone decides',
  { timeout: 120_000 },
  (name, read) => expectTextLinear(name, read),
)
