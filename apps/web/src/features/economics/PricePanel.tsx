import {
  type Decision,
  type EconomicBase,
  formatDate,
  formatFixed,
  oldPriceText,
  type Prices,
  priceDateText,
  priceText,
  reaisText,
  type TreatmentCost,
  treatmentText,
} from '@ensaio/domain'
import { RotateCcw, Save } from 'lucide-react'
import { memo, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input, NumberInput } from '../../ui/Input.tsx'
import { Slider } from '../../ui/Slider.tsx'
import { Badge } from '../../ui/Surface.tsx'
import { type Standing, triedCosts, type WhatIf, withCost } from './what-if.ts'

/** How far the sliders go, % of where they begin. */
const SPAN = 50

type Props = {
  base: EconomicBase
  prices: Prices
  tried: WhatIf
  now: Standing
  costs: readonly TreatmentCost[]
  /** The costs that nobody has tried to change. */
  before: readonly TreatmentCost[]
  onChange: (changed: Partial<WhatIf>) => void
  edit: Decision
  onSave: () => void
}

/** What is tried: the price with its range, and what each treatment costs. */
export function PricePanel({ base, prices, tried, now, costs, before, onChange, edit, onSave }: Props) {
  const { cultura } = prices
  // Where sliding begins stays where it is while it is slid.
  const [first, setFirst] = useState(now.preco)
  const from = cultura?.preco ?? first ?? now.preco
  const set = (key: 'preco' | 'baixo' | 'alto', value: number | null | undefined, empty = '') => {
    if (value === undefined) return
    onChange({ [key]: value === null ? empty : String(value) })
  }
  const dirty = Object.values(tried).some((value) => value !== '')
  return (
    <div className="flex flex-col gap-4">
      <Stored prices={prices} />
      <Field label={`Preço de venda (R$/${now.unidade})`}>
        {(control) => (
          <NumberInput
            {...control}
            money
            value={now.preco}
            onValue={(value) => {
              if (value !== null && value !== undefined && !(value > 0)) return
              set('preco', value)
              // A price far from where sliding began is where it begins anew.
              if (value && (from === null || Math.abs(value / from - 1) > SPAN / 100)) setFirst(value)
            }}
          />
        )}
      </Field>
      {from !== null && now.preco !== null && (
        <PriceSlider from={from} now={now} onPrice={(preco) => set('preco', preco)} />
      )}
      <div className="grid grid-cols-2 gap-3">
        <Field label="Baixo, se cair">
          {(control) => (
            <NumberInput
              {...control}
              money
              value={now.preco_baixo}
              onValue={(value) => set('baixo', value, cultura?.preco_baixo == null ? '' : '-')}
            />
          )}
        </Field>
        <Field label="Alto, se subir">
          {(control) => (
            <NumberInput
              {...control}
              money
              value={now.preco_alto}
              onValue={(value) => set('alto', value, cultura?.preco_alto == null ? '' : '-')}
            />
          )}
        </Field>
        <Field label="Unidade">
          {(control) => (
            <Input
              {...control}
              value={tried.un || (now.unidade === 'un' ? '' : now.unidade)}
              maxLength={20}
              onChange={(event) => onChange({ un: event.target.value })}
            />
          )}
        </Field>
        <Field label="kg por unidade">
          {(control) => (
            <NumberInput
              {...control}
              value={now.kg_por_unidade}
              onValue={(value) =>
                value !== undefined && onChange({ kg: value === null ? '' : String(value) })
              }
            />
          )}
        </Field>
      </div>
      <Costs {...{ base, prices, costs, before, onChange }} tried={tried.c} kind={now.custos} />
      <div className="flex flex-wrap gap-2 border-t border-line pt-4">
        <Button
          variant="primary"
          icon={<Save aria-hidden className="size-4" />}
          disabled={!edit.allowed}
          title={edit.allowed ? undefined : edit.reason}
          onClick={onSave}
        >
          Salvar preços
        </Button>
        {dirty && (
          <Button
            variant="quiet"
            icon={<RotateCcw aria-hidden className="size-4" />}
            onClick={() => {
              setFirst(cultura?.preco ?? null)
              onChange(Object.fromEntries(Object.keys(tried).map((key) => [key, ''])) as WhatIf)
            }}
          >
            Desfazer
          </Button>
        )}
        <p className="basis-full text-small text-muted">
          {edit.allowed
            ? 'O que você experimenta fica só no endereço da página, que pode ser enviado.'
            : `${edit.reason}. O que você experimenta fica no endereço da página, que pode ser enviado.`}
        </p>
      </div>
    </div>
  )
}

function Stored({ prices: { cultura, quem, quando } }: { prices: Prices }) {
  if (!cultura) return <p className="text-small text-muted">Ainda não há preços salvos neste experimento.</p>
  const old = oldPriceText(cultura.data)
  return (
    <p className="figures flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-muted">
      <span>
        Salvo: {priceText(cultura.preco, cultura.unidade)} · {cultura.fonte}, {priceDateText(cultura.data)}
        {quando && ` · ${quem ? `${quem}, ` : ''}${formatDate(quando)}`}
      </span>
      {old && <Badge tone="warn">{old}</Badge>}
    </p>
  )
}

function PriceSlider({
  from,
  now: { preco, unidade },
  onPrice,
}: {
  from: number
  now: Standing
  onPrice: (preco: number) => void
}) {
  const percent = Math.round(100 * ((preco ?? from) / from - 1))
  return (
    <div>
      <Slider
        aria-label="Variação do preço"
        min={-SPAN}
        max={SPAN}
        value={percent}
        said={`${priceText(preco ?? from, unidade)}, ${signed(percent)}`}
        onValue={(next) => onPrice(Math.round(from * (100 + next) * 100) / 10_000)}
      />
      <Ends
        low={priceText(from * (1 - SPAN / 100), unidade)}
        high={priceText(from * (1 + SPAN / 100), unidade)}
      />
    </div>
  )
}

const Ends = ({ low, high }: { low: string; high: string }) => (
  <p aria-hidden className="figures flex justify-between text-small text-muted">
    <span>{low}</span>
    <span>{high}</span>
  </p>
)
const signed = (percent: number) => `${percent > 0 ? '+' : ''}${formatFixed(percent, 0)} %`

type CostsProps = Omit<Props, 'edit' | 'onSave' | 'tried' | 'now'> & {
  tried: string
  kind: Prices['custos']
}

/** Not drawn anew while the price is slid: there may be hundreds. */
const Costs = memo(({ base, prices, tried, kind, costs, before, onChange }: CostsProps) => {
  const own = triedCosts(tried)
  const names = Object.fromEntries(base.tratamentos.map(({ nivel, nome }) => [nivel, nome]))
  const priced = prices.produtos.length > 0 || prices.aplicacao_rs_ha !== null
  return (
    <details open={base.tratamentos.length <= 8} className="border-t border-line pt-4">
      <summary className="cursor-pointer font-medium">Custos por tratamento (R$/ha)</summary>
      {priced && (
        <Checkbox
          className="pt-3"
          label="Usar o custo das doses no lugar do digitado"
          checked={kind === 'calculados'}
          onChange={(event) => onChange({ custos: event.target.checked ? 'calculados' : 'digitados' })}
        />
      )}
      <ul className="flex flex-col gap-3 pt-3">
        {base.tratamentos.map(({ numero, nivel }) => {
          const cost = costs[numero - 1]
          const given = before[numero - 1]?.vale_rs_ha ?? null
          const value = cost?.vale_rs_ha ?? null
          const percent = given ? Math.round(100 * ((value ?? given) / given - 1)) : 0
          const put = (next: number | null) => onChange({ c: withCost(tried, numero, next) })
          return (
            <li key={nivel} className="min-w-0">
              <Field
                label={treatmentText(nivel, names)}
                help={
                  priced && cost
                    ? `digitado ${cost.digitado_rs_ha === null ? '–' : reaisText(cost.digitado_rs_ha)} · das doses ${cost.calculado_rs_ha === null ? `– (${cost.faltam.join(', ')})` : reaisText(cost.calculado_rs_ha)}`
                    : undefined
                }
              >
                {(control) => (
                  <NumberInput
                    {...control}
                    money
                    value={value}
                    onValue={(next) => next !== undefined && (next === null || next >= 0) && put(next)}
                  />
                )}
              </Field>
              {given !== null && given > 0 && (
                <Slider
                  aria-label={`Variação do custo de ${nivel}`}
                  min={-SPAN}
                  max={SPAN}
                  value={percent}
                  said={`${reaisText(value ?? given)} por hectare, ${signed(percent)}`}
                  onValue={(next) => put(next === 0 ? null : Math.round(given * (100 + next) * 100) / 10_000)}
                />
              )}
              {own.has(numero) && given !== null && (
                <p className="figures text-small text-muted">
                  {signed(percent)} de {reaisText(given)}
                </p>
              )}
            </li>
          )
        })}
      </ul>
    </details>
  )
})
