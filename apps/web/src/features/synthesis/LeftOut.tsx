import { formatNumber, type SynthesisAnswer } from '@ensaio/domain'
import { Link } from 'react-router'
import { recordPage } from '../../shell/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import type { SynthesisAddress } from './synthesis-address.ts'

/** Every trial of the filter that does not count, with its reason; what a person may decide they decide here. */
export function LeftOut({ answer, address }: { answer: SynthesisAnswer; address: SynthesisAddress }) {
  const { fora, fora_contagem, total, k_todos } = answer
  const back = (address.query.incluir ?? '').split(',').filter(Boolean)
  const left = fora_contagem.reduce((sum, { n }) => sum + n, 0)
  return (
    <Card>
      <CardHeader
        title="Ensaios que ficaram de fora"
        subtitle={`${formatNumber(total, 0)} no filtro = ${formatNumber(k_todos, 0)} comparados + ${formatNumber(left, 0)} de fora`}
      />
      {left > 0 && (
        <ul className="figures flex flex-col gap-1 px-5 pb-4 text-small text-muted">
          {fora_contagem.map(({ codigo, motivo, n }) => (
            <li key={codigo}>
              {formatNumber(n, 0)}: {motivo}
            </li>
          ))}
        </ul>
      )}
      {back.length > 0 && (
        <p className="flex flex-wrap items-center gap-2 px-5 pb-4 text-small">
          {back.length === 1
            ? 'Um ensaio repetido conta por decisão sua.'
            : `${back.length} ensaios repetidos contam por decisão sua.`}
          <Button size="small" onClick={() => address.set({ incluir: '' })}>
            Deixar de contar
          </Button>
        </p>
      )}
      {fora.length > 0 && (
        <Table label="Ensaios fora da síntese" className="max-h-96 border-t border-line">
          <thead>
            <tr>
              <Head>Ensaio</Head>
              <Head>Motivo</Head>
              <Head>Decisão</Head>
            </tr>
          </thead>
          <tbody>
            {fora.map(({ experimento_id, nome, codigo, motivo }) => (
              <Row key={experimento_id}>
                <Cell className="min-w-44">
                  <Link
                    to={recordPage(experimento_id)}
                    className="text-accent underline-offset-4 hover:underline"
                  >
                    {nome}
                  </Link>
                </Cell>
                <Cell className="min-w-44">{motivo}</Cell>
                <Cell>
                  {codigo === 'duplicado' && (
                    <Button size="small" onClick={() => address.toggle('incluir', experimento_id)}>
                      Contar de novo
                    </Button>
                  )}
                  {codigo === 'retirado' && (
                    <Button size="small" onClick={() => address.toggle('retirar', experimento_id)}>
                      Devolver
                    </Button>
                  )}
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      {left > fora.length && (
        <p className="px-5 py-3 text-small text-muted">e mais {formatNumber(left - fora.length, 0)}.</p>
      )}
      <Choice answer={answer} address={address} />
    </Card>
  )
}

/** One that moves the estimate most can be left out, and is told among the others then. */
function Choice({ answer, address }: { answer: SynthesisAnswer; address: SynthesisAddress }) {
  const { influencia, ensaios } = answer
  if ('motivo' in influencia) return null
  const most = ensaios.find(({ experimento_id }) => experimento_id === influencia.experimento_id)
  if (!most) return null
  return (
    <p className="flex flex-wrap items-center gap-2 border-t border-line px-5 py-3 text-small">
      O que mais move a estimativa: {most.nome}.
      <Button size="small" onClick={() => address.toggle('retirar', most.experimento_id)}>
        Ver sem ele
      </Button>
    </p>
  )
}
