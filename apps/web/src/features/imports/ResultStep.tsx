import { counted, formatDate, formatNumber, type Import } from '@ensaio/domain'
import { Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../api/client.ts'
import { experimentsChanged, useEndpoint } from '../../api/queries.ts'
import { paths, recordPage } from '../../shell/paths.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { told, useChange } from './use-import.ts'

/** What was made, updated and left; and the way back. */
export function ResultStep({
  importacao,
  onCheck,
  onAnother,
}: {
  importacao: Import
  onCheck: () => void
  onAnother: () => void
}) {
  const { busy, failure, run } = useChange()
  const [kept, setKept] = useState<{ id: string; nome: string }[]>([])
  const { estado, gravados, resumo, progresso } = importacao
  const writing = estado === 'gravando'
  useEffect(() => {
    if (!writing) void experimentsChanged()
  }, [writing])
  const made = useEndpoint(
    'importRows',
    { params: { id: importacao.id }, query: { estado: 'novo', limit: 20 } },
    { ofServer: true, enabled: estado === 'concluida' },
  )
  const turn = (name: 'undoImport' | 'redoImport') =>
    run(async () => {
      const answer = await call(name, { params: { id: importacao.id } }, { timeoutMs: 120_000 })
      setKept(answer.mantidos)
      told(answer.importacao)
      await experimentsChanged()
    })
  const total = (importacao.resumo.novos || 0) + (importacao.resumo.atualizar || 0)
  const written = made.data?.experimentos.filter(({ gravado, id }) => gravado && id !== null) ?? []

  return (
    <div className="flex flex-col gap-6">
      {failure && <Banner tone="danger">{failure}</Banner>}
      {kept.length > 0 && (
        <Banner
          tone="warn"
          title={
            kept.length === 1
              ? '1 experimento foi alterado depois da importação e ficou como estava.'
              : `${formatNumber(kept.length, 0)} experimentos foram alterados depois da importação e ficaram como estão.`
          }
        >
          <ul>
            {kept.slice(0, 20).map(({ id, nome }) => (
              <li key={id}>
                <Link to={recordPage(id)}>{nome}</Link>
              </li>
            ))}
          </ul>
        </Banner>
      )}
      <Card>
        <CardHeader
          title={
            writing ? 'Gravando' : estado === 'desfeita' ? 'Importação desfeita' : 'Importação concluída'
          }
          subtitle={importacao.nome}
        />
        <div className="flex flex-col gap-4 px-5 pb-5">
          {writing ? (
            <>
              <p role="status" className="figures font-medium">
                {`${formatNumber(progresso.experimentos, 0)} de ${formatNumber(Math.max(total, progresso.experimentos), 0)} experimentos gravados`}
              </p>
              <progress
                className="h-2 w-full accent-(--accent)"
                max={Math.max(1, total)}
                value={progresso.experimentos}
                aria-label="Experimentos gravados"
              />
              <p className="text-small text-muted">Você pode sair: a gravação continua.</p>
            </>
          ) : (
            <div role="status">
              <ul className="figures flex flex-col gap-1">
                {estado === 'desfeita' && gravados.criados === 0 && (
                  <li>O que esta importação criou ou atualizou foi desfeito.</li>
                )}
                {(estado !== 'desfeita' || gravados.criados > 0) && (
                  <li>{counted(gravados.criados, 'experimento criado', 'experimentos criados')}</li>
                )}
                {gravados.atualizados > 0 && (
                  <li>
                    {counted(gravados.atualizados, 'experimento atualizado', 'experimentos atualizados')}
                  </li>
                )}
                {resumo.iguais > 0 && (
                  <li className="text-muted">
                    {counted(resumo.iguais, 'igual ao que já existia', 'iguais aos que já existiam')}
                  </li>
                )}
                {resumo.com_erro > 0 && (
                  <li className="text-muted">
                    {counted(
                      resumo.com_erro,
                      'com erro, guardado nesta importação',
                      'com erro, guardados nesta importação',
                    )}
                  </li>
                )}
              </ul>
            </div>
          )}
          {!writing && (
            <div className="flex flex-wrap gap-2">
              <Link className={buttonClasses('primary')} to={paths.dashboard}>
                Ver no dashboard
              </Link>
              {resumo.com_erro > 0 && estado === 'concluida' && (
                <Button onClick={onCheck}>Corrigir os que ficaram</Button>
              )}
              {importacao.desfazer_ate && estado === 'concluida' && (
                <Button
                  icon={<Undo2 aria-hidden className="size-4" />}
                  busy={busy}
                  onClick={() => void turn('undoImport')}
                >
                  Desfazer importação
                </Button>
              )}
              {importacao.desfazer_ate && estado === 'desfeita' && (
                <Button busy={busy} onClick={() => void turn('redoImport')}>
                  Refazer
                </Button>
              )}
              {estado === 'concluida' && gravados.criados > 0 && (
                <Link className={buttonClasses()} to={`${paths.dashboard}?aba=documents&anexar=1`}>
                  Anexar relatórios por código
                </Link>
              )}
              <Button onClick={onAnother}>Importar outra planilha</Button>
            </div>
          )}
          {importacao.desfazer_ate && !writing && (
            <p className="text-small text-muted">
              Pode ser {estado === 'desfeita' ? 'refeita' : 'desfeita'} até{' '}
              {formatDate(importacao.desfazer_ate)}.
            </p>
          )}
        </div>
      </Card>
      {written.length > 0 && estado === 'concluida' && (
        <Card>
          <CardHeader
            title="Experimentos criados"
            subtitle={written.length < gravados.criados ? `Os primeiros ${written.length}` : undefined}
          />
          <ul className="divide-y divide-line border-t border-line">
            {written.map(({ n, id, dados, chave }) => (
              <li key={n} className="px-5 py-2.5">
                <Link className="text-accent hover:underline" to={recordPage(id ?? '')}>
                  {[chave, dados.cultura, dados.cultivar, dados.cidade, dados.ano]
                    .filter(Boolean)
                    .join(' · ')}
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}
