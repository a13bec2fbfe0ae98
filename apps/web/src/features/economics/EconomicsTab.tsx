import { type EconomicBase, type Experiment, HIDDEN, type Prices } from '@ensaio/domain'
import { SlidersHorizontal } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { useSource } from '../../api/source.ts'
import { useAddressValues } from '../../shell/address.ts'
import { useMay } from '../../shell/organization.tsx'
import { editPage, recordPage } from '../../shell/paths.ts'
import { useSettled } from '../../shell/rested.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Frontier } from './Frontier.tsx'
import { PricePanel } from './PricePanel.tsx'
import { PriceYield } from './PriceYield.tsx'
import { Answer, Ranking } from './Ranking.tsx'
import { SavePrices } from './SavePrices.tsx'
import { computed, standing, standingCosts, WHAT_IF } from './what-if.ts'

/** What each treatment pays: prices on one side, what follows from them on the other. */
export function EconomicsTab({ experiment }: { experiment: Experiment }) {
  const shown = experiment.permissoes.ver_custos
  const params = { params: { id: experiment.id } }
  const prices = useEndpoint('getPrices', params, { enabled: shown })
  const base = useEndpoint('economicBase', params, { enabled: shown })
  if (!shown)
    return (
      <Card>
        <EmptyState title={`Custos: ${HIDDEN.toLowerCase()}`}>
          A organização deste experimento não mostra custos e retornos; sem eles não há conta a fazer.
        </EmptyState>
      </Card>
    )
  const failed = [base, prices].find(({ isError }) => isError)
  if (failed?.error)
    return (
      <Card>
        <ErrorState message={failed.error.message} onRetry={() => failed.refetch()} />
        {failed.error.code === 'analysis.no_control' && (
          <p className="flex justify-center px-4 pb-6">
            <Link to={recordPage(experiment.id, 'parcelas')} className={buttonClasses()}>
              Indicar a Testemunha
            </Link>
          </p>
        )}
      </Card>
    )
  if (!prices.data || !base.data)
    return (
      <div className="grid gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]" aria-busy="true">
        <p className="sr-only">Carregando preços e produtividades</p>
        <Skeleton className="h-96" />
        <Skeleton className="h-96" />
      </div>
    )
  return <Known experiment={experiment} prices={prices.data} base={base.data.base} />
}

function Known({ experiment, prices, base }: { experiment: Experiment; prices: Prices; base: EconomicBase }) {
  const [tried, change] = useAddressValues(WHAT_IF)
  const narrow = useNarrow('64rem')
  const [sheet, setSheet] = useState(false)
  const [saving, setSaving] = useState(false)
  const may = useMay()
  const source = useSource()
  const edit =
    source.name === 'demo'
      ? { allowed: false as const, reason: 'Dados de demonstração não podem ser alterados' }
      : may('prices.edit', experiment)
  const now = useMemo(() => standing(tried, prices, experiment), [tried, prices, experiment])
  const { costs, before } = useMemo(
    () => standingCosts(tried.c, prices, now.custos, experiment),
    [tried.c, prices, now.custos, experiment],
  )
  const answer = useMemo(() => computed(base, costs, now), [base, costs, now])
  // What is read closely comes when the finger rests.
  const late = useSettled(answer)
  const panel = (
    <PricePanel
      {...{ base, prices, tried, now, costs, before }}
      onChange={change}
      edit={edit}
      onSave={() => {
        setSheet(false)
        setSaving(true)
      }}
    />
  )
  const costless = base.tratamentos.every(({ numero }) => costs[numero - 1]?.vale_rs_ha == null)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      {narrow ? (
        <div className="no-print sticky top-0 z-10 -mx-1 bg-bg px-1 py-2">
          <Button
            className="w-full"
            icon={<SlidersHorizontal aria-hidden className="size-4" />}
            onClick={() => setSheet(true)}
          >
            Preços e custos
          </Button>
          <Dialog open={sheet} onClose={() => setSheet(false)} title="Preços e custos">
            {answer && <Answer answer={answer} brief />}
            {panel}
          </Dialog>
        </div>
      ) : (
        <Card className="no-print sticky top-4 max-h-[calc(100dvh-2rem)] overflow-y-auto px-5 py-4">
          <h2 className="pb-3 font-semibold">Preços e custos</h2>
          {panel}
        </Card>
      )}
      <div className="flex min-w-0 flex-col gap-6">
        {answer ? (
          <>
            <Answer answer={answer} />
            {costless ? (
              <Card>
                <EmptyState
                  title="Faltam os custos dos tratamentos"
                  action={
                    edit.allowed ? (
                      <Link to={editPage(experiment.id, 5)} className={buttonClasses()}>
                        Informar no cadastro
                      </Link>
                    ) : undefined
                  }
                >
                  Digite um custo ao lado para experimentar, ou informe os do cadastro.
                </EmptyState>
              </Card>
            ) : (
              <>
                <Ranking answer={answer} />
                <PriceYield answer={late ?? answer} />
                <Frontier
                  answer={late ?? answer}
                  taxa={now.taxa_minima}
                  ajuste={now.ajuste_percent}
                  onChange={change}
                />
              </>
            )}
          </>
        ) : (
          <Card>
            <CardHeader title="Quanto cada tratamento deixa" subtitle={`${base.origem} · R$/ha`} />
            <EmptyState title="Informe o preço de venda">
              {now.kg_por_unidade === null
                ? 'Diga também quantos kg tem a unidade em que esta cultura é vendida.'
                : 'Com ele se vê quanto cada tratamento deixa por hectare e com que probabilidade paga o seu custo.'}
            </EmptyState>
          </Card>
        )}
      </div>
      {saving && (
        <SavePrices
          {...{ experiment, prices, now }}
          onClose={() => setSaving(false)}
          onSaved={() => change({ preco: '', kg: '', un: '', baixo: '', alto: '', custos: '' })}
        />
      )}
    </div>
  )
}
