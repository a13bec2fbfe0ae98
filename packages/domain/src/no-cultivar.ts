/** What stands where nobody knew the cultivar, in small letters; the database has the same list. */
export const NO_CULTIVAR: ReadonlySet<string> = new Set([
  ...[
    '-',
    '--',
    '–',
    '?',
    'n/a',
    'n/d',
    'n/i',
    'nd',
    'ni',
    's/i',
    'a definir',
    'desconhecido',
    'desconhecida',
  ],
  ...['não informado', 'nao informado', 'não informada', 'nao informada', 'não identificado'],
  ...['nao identificado', 'não definido', 'nao definido', 'sem informação', 'sem informacao'],
])

/** Whether a cultivar is told; words that stand for none are none. */
export const isCultivar = (cultivar: string): boolean => {
  const word = cultivar.trim().toLocaleLowerCase('pt-BR')
  return word !== '' && !NO_CULTIVAR.has(word)
}
