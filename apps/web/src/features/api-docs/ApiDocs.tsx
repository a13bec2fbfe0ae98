import { useCallback, useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { type Operation, readApiDocument } from '../../api/api-document.ts'
import { paths } from '../../shell/paths.ts'
import { useSession } from '../../shell/session.tsx'
import { useTitle } from '../../shell/title.ts'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { OperationCard } from './OperationCard.tsx'

const TITLES: Record<string, string> = {
  auth: 'Entrar e sair',
  profile: 'Perfil',
  users: 'Conta',
  experiments: 'Experimentos',
  uploads: 'Documentos',
  extractions: 'Leitura de relatórios',
  lookups: 'Listas',
  dashboard: 'Painel',
  events: 'Avisos',
  settings: 'Instalação',
  admin: 'Administração',
  'auth/v1': 'auth/v1: contas no dialeto do GoTrue',
  'rest/v1': 'rest/v1: tabelas no dialeto do PostgREST',
  serviço: 'Operação do servidor',
}

/** Reads the API's own description and lets anybody try it. */
export function ApiDocs() {
  useTitle('API')
  const session = useSession()
  const [operations, setOperations] = useState<Operation[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [wanted, setWanted] = useState('')
  const load = useCallback(() => {
    setFailure(null)
    readApiDocument().then(setOperations, (error: Error) => setFailure(error.message))
  }, [])
  useEffect(load, [load])
  const groups = useMemo(() => grouped(operations ?? [], wanted), [operations, wanted])

  return (
    <main id="conteudo" className="page py-10">
      <h1 className="text-display font-semibold">API</h1>
      <p className="mt-2 max-w-3xl text-muted">
        Tudo o que as telas fazem também se faz por aqui. O documento completo, em OpenAPI 3.1, está em{' '}
        <a href="/api/openapi.json" className="underline">
          /api/openapi.json
        </a>
        . Uma falha responde em <code>application/problem+json</code>, com um código estável em{' '}
        <code>code</code> e a frase para a pessoa em <code>detail</code>.
      </p>
      <p className="mt-2 max-w-3xl text-muted">
        {session.status === 'in' ? (
          `Os pedidos enviados daqui usam a sua sessão (${session.user.email}) e valem de verdade.`
        ) : (
          <>
            <Link to={paths.login} className="underline">
              Entre
            </Link>{' '}
            para experimentar o que pede sessão.
          </>
        )}
      </p>
      <Field label="Procurar" className="mt-6 max-w-md">
        {(control) => (
          <Input
            {...control}
            type="search"
            value={wanted}
            placeholder="experimento, PUT, documento…"
            onChange={(event) => setWanted(event.target.value)}
          />
        )}
      </Field>
      {failure && <ErrorState message={failure} onRetry={load} className="mt-8" />}
      {!operations && !failure && <Skeleton className="mt-8 h-64" />}
      {operations && groups.length === 0 && <p className="mt-8 text-muted">Nada com esse nome.</p>}
      {groups.map(([tag, members]) => (
        <section key={tag} className="mt-8">
          <h2 className="text-title font-semibold">{TITLES[tag] ?? tag}</h2>
          <div className="mt-3 flex flex-col gap-2">
            {members.map((operation) => (
              <OperationCard key={`${operation.method} ${operation.path}`} operation={operation} />
            ))}
          </div>
        </section>
      ))}
    </main>
  )
}

function grouped(operations: Operation[], wanted: string): [string, Operation[]][] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = new Map<string, Operation[]>()
  for (const operation of operations) {
    const text = `${operation.method} ${operation.path} ${operation.summary} ${operation.tag}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) continue
    groups.set(operation.tag, [...(groups.get(operation.tag) ?? []), operation])
  }
  return [...groups]
}
