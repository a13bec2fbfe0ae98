import type { z } from 'zod'
import { formatNumber } from './format.ts'

const OF_TYPE: Readonly<Record<string, string>> = {
  string: 'Informe um texto',
  number: 'Informe um número',
  int: 'Informe um número inteiro',
  boolean: 'Informe true ou false',
  array: 'Informe uma lista',
  object: 'Informe um objeto',
  record: 'Informe um objeto',
  date: 'Informe uma data',
}
const OF_FORMAT: Readonly<Record<string, string>> = {
  email: 'E-mail inválido',
  url: 'Endereço inválido',
  uuid: 'Identificador inválido',
  guid: 'Identificador inválido',
  date: 'Data inválida',
  datetime: 'Data e hora inválidas',
}

const counted = (origin: string, n: number | bigint): string => {
  const shown = formatNumber(Number(n))
  if (origin === 'string') return `${shown} ${shown === '1' ? 'caractere' : 'caracteres'}`
  if (origin === 'array' || origin === 'set') return `${shown} ${shown === '1' ? 'item' : 'itens'}`
  return shown
}

/** What is wrong with a value where no schema says it in words of its own. */
export const validationWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Campo obrigatório' : (OF_TYPE[issue.expected] ?? 'Valor inválido')
    case 'invalid_value':
      if (issue.input === undefined) return 'Campo obrigatório'
      return `Opção inválida. Use ${issue.values.map(String).join(', ')}`
    case 'too_big':
      return `Use no máximo ${counted(issue.origin, issue.maximum)}`
    case 'too_small':
      return `Use ao menos ${counted(issue.origin, issue.minimum)}`
    case 'invalid_format':
      return OF_FORMAT[issue.format] ?? 'Valor inválido'
    case 'unrecognized_keys':
      return `Campo desconhecido: ${issue.keys.slice(0, 5).join(', ')}`
    default:
      return 'Valor inválido'
  }
}
