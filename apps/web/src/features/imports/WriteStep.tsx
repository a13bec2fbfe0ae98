import { counted, formatNumber, type Import } from '@ensaio/domain'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { createRequestKey } from '../../api/request-key.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Input.tsx'
import { Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { told, useChange } from './use-import.ts'

/** How far the reading is. */
export function Reading({ importacao }: { importacao: Import }) {
  const { linhas, experimentos } = importacao.progresso
  return (
    <Card className="px-5 py-12 text-center">
      <p role="status" className="figures font-medium">
        {experimentos > 0
          ? `Conferindo ${counted(experimentos, 'experimento', 'experimentos')}`
          : linhas > 0
            ? `Lendo linha ${formatNumber(linhas, 0)}`
            : 'Lendo a planilha…'}
      </p>
      <p className="mt-1 text-small text-muted">
        Você pode sair: a leitura continua, e a importação fica na lista.
      </p>
    </Card>
  )
}

/** What is written, and what becomes of the rest. */
export function WriteStep({
  importacao,
  onBegun,
  onBack,
}: {
  importacao: Import
  onBegun: () => void
  onBack: () => void
}) {
  const { busy, failure, run } = useChange()
  const [atualizar, setAtualizar] = useState(false)
  const [keyFor] = useState(createRequestKey)
  const { novos, atualizar: updates, iguais, com_erro: wrong } = importacao.resumo
  const count = novos + (atualizar ? updates : 0)
  const begin = () =>
    run(async () => {
      const { importacao: now } = await call(
        'commitImport',
        { params: { id: importacao.id }, body: { atualizar } },
        {
          headers: {
            'idempotency-key': keyFor(
              JSON.stringify([importacao.id, atualizar, importacao.resumo, importacao.gravados]),
            ),
          },
        },
      )
      told(now)
      onBegun()
    })
  return (
    <Card>
      <CardHeader title="Gravar" subtitle="Pode ser desfeito por 30 dias" />
      <div className="flex flex-col gap-4 px-5 pb-5">
        {failure && <Banner tone="danger">{failure}</Banner>}
        <ul className="figures flex flex-col gap-1">
          <li>{counted(novos, 'experimento novo', 'experimentos novos')}</li>
          {iguais > 0 && (
            <li className="text-muted">
              {counted(iguais, 'igual ao que já existe: nada muda', 'iguais aos que já existem: nada muda')}
            </li>
          )}
        </ul>
        {updates > 0 && (
          <Checkbox
            label={`Atualizar ${counted(updates, 'experimento que já existe', 'experimentos que já existem')}`}
            checked={atualizar}
            onChange={(event) => setAtualizar(event.target.checked)}
          />
        )}
        {wrong > 0 && (
          <Banner tone="warn">
            {wrong === 1
              ? 'O experimento com erro fica nesta importação para depois.'
              : `Os ${formatNumber(wrong, 0)} com erro ficam nesta importação para depois.`}
          </Banner>
        )}
        <div className="flex flex-wrap gap-2">
          <Button
            variant="primary"
            size="large"
            busy={busy}
            disabled={count === 0}
            onClick={() => void begin()}
          >
            {`Importar ${counted(count, 'experimento', 'experimentos')}`}
          </Button>
          <Button size="large" onClick={onBack}>
            Voltar
          </Button>
        </div>
        {count === 0 && <p className="text-small text-muted">Não há nada para importar.</p>}
      </div>
    </Card>
  )
}
