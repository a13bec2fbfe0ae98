import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { BackupError } from './backup-error.ts'

const SHORTEST = 8

/** The passphrase from the named variable. */
export function passphraseFrom(name: string): string {
  const passphrase = process.env[name]
  if (!passphrase) throw new BackupError(`A variável ${name} não tem uma senha.`)
  return passphrase
}

/** Asks at the terminal without showing what is typed. */
export async function askPassphrase(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new BackupError('Não há terminal para perguntar a senha; use --passphrase-env NOME.')
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

export async function askNewPassphrase(): Promise<string> {
  const passphrase = await askPassphrase('Senha para a cópia: ')
  if ((await askPassphrase('Repita a senha: ')) !== passphrase)
    throw new BackupError('As senhas não são iguais.')
  return passphrase
}

export function refuseShort(passphrase: string): string {
  if (passphrase.length < SHORTEST)
    throw new BackupError(`A senha da cópia deve ter pelo menos ${SHORTEST} caracteres.`)
  return passphrase
}
