import { changeLines, formatDateTime } from '@ensaio/domain'
import { useEndpoint } from '../api/queries.ts'
import { Skeleton } from '../ui/Surface.tsx'

/** Who changed what of a trial, the latest first, in words: 'T2 · Produtividade: 1.908 → 2.222 kg/ha'. */
export function History({ id }: { id: string }) {
  const history = useEndpoint('experimentHistory', { params: { id } })
  if (history.isError) return <p className="mt-2 text-small text-danger">{history.error.message}</p>
  if (history.isPending) return <Skeleton className="mt-3 h-16" />
  return (
    <ol className="mt-3 flex flex-col gap-3">
      {history.data.alteracoes.map((change) => (
        <li key={change.id} className="border-l-2 border-line pl-3 text-small">
          <p>
            <strong className="font-medium">{change.quem ?? 'conta excluída'}</strong> · {change.acao} ·{' '}
            <span className="figures text-muted">
              {formatDateTime(change.quando)}
              {change.versao !== null && ` · versão ${change.versao}`}
            </span>
          </p>
          {change.campos.length > 0 && (
            <ul className="figures text-muted">
              {change.campos
                .flatMap(({ campo, antes, depois }) => changeLines(campo, antes, depois))
                .map(({ what, before, after }) => (
                  <li key={`${what}${before}${after}`}>
                    {what}: {before} → {after}
                  </li>
                ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  )
}
