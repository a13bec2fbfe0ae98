import '../../shell/validation.ts'
import {
  type Experiment,
  type FieldProblem,
  fieldProblems,
  PRODUCT_UNITS,
  type Prices,
  PricesInput,
  type ProductUnit,
  pricesLine,
  searchable,
} from '@ensaio/domain'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { ApiError, call, reasonOf } from '../../api/client.ts'
import { experimentsChanged } from '../../api/queries.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input, NumberInput, Select } from '../../ui/Input.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Standing } from './what-if.ts'

interface ProductDraft {
  key: number
  nome: string
  preco: number | null
  unidade: ProductUnit
  data: string
  fonte: string
}

/** Products that the trial applied and that have no price yet are offered one after the other. */
const productsOf = ({ tratamentos }: Experiment): { nome: string; unidade: ProductUnit }[] => {
  const found = new Map<string, { nome: string; unidade: ProductUnit }>()
  for (const { nome, unidade } of tratamentos.flatMap(({ produtos_aplicados }) => produtos_aplicados))
    if (!found.has(searchable(nome)))
      found.set(searchable(nome), {
        nome,
        unidade: /^m?L\/ha/.test(unidade ?? '') ? 'L' : /^k?g\/ha/.test(unidade ?? '') ? 'kg' : 'ha',
      })
  return [...found.values()]
}

/** Prices that stay: with date and source, in the name of who saves them. */
export function SavePrices({
  experiment,
  prices,
  now,
  onClose,
  onSaved,
}: {
  experiment: Experiment
  prices: Prices
  now: Standing
  onClose: () => void
  onSaved: () => void
}) {
  const same = prices.cultura !== null && now.preco === prices.cultura.preco
  const [version, setVersion] = useState(prices.versao)
  // A price that was only tried has neither yet.
  const [date, setDate] = useState(same ? (prices.cultura?.data ?? '') : '')
  const [source, setSource] = useState(same ? (prices.cultura?.fonte ?? '') : '')
  const [price, setPrice] = useState<number | null>(now.preco)
  const [products, setProducts] = useState<ProductDraft[]>(
    prices.produtos.map((product, key) => ({ ...product, key })),
  )
  const [application, setApplication] = useState<number | null>(prices.aplicacao_rs_ha)
  const [computed, setComputed] = useState(now.custos === 'calculados')
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const error = (path: string) => problems.find((problem) => problem.path === path)?.message
  const given = new Set(products.map(({ nome }) => searchable(nome)))
  const next = productsOf(experiment).find(({ nome }) => !given.has(searchable(nome)))
  const save = async () => {
    const body = {
      versao: version,
      cultura: {
        ...{ preco: price, preco_baixo: now.preco_baixo, preco_alto: now.preco_alto },
        ...{ unidade: now.unidade, kg_por_unidade: now.kg_por_unidade, data: date, fonte: source },
      },
      produtos: products.map(({ key: _, ...product }) => product),
      aplicacao_rs_ha: application,
      custos: computed ? ('calculados' as const) : ('digitados' as const),
    }
    const checked = PricesInput.safeParse(body)
    setFailure(null)
    setProblems(checked.success ? [] : fieldProblems(checked.error))
    if (!checked.success) return
    setBusy(true)
    try {
      await call('putPrices', { params: { id: experiment.id }, body: checked.data })
      await experimentsChanged()
      toast.success('Preços salvos')
      onSaved()
      onClose()
    } catch (caught) {
      const stands =
        caught instanceof ApiError && caught.code === 'price.stale' ? (caught.current as Prices) : null
      if (caught instanceof ApiError) setProblems(caught.fields)
      if (stands) setVersion(stands.versao)
      setFailure(
        stands
          ? `${reasonOf(caught)}. Agora: ${pricesLine(stands)}. Gravar outra vez põe os seus no lugar.`
          : reasonOf(caught),
      )
    } finally {
      setBusy(false)
    }
  }
  const change = (key: number, part: Partial<ProductDraft>) =>
    setProducts((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const elsewhere = problems.filter(
    ({ path }) => /unidade|kg_por|baixo|alto/.test(path) && !/produtos/.test(path),
  )
  return (
    <Dialog
      open
      size="large"
      onClose={onClose}
      title="Preços do experimento"
      description="Ficam com o experimento, com data e fonte, e são os que o resumo usa."
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            Gravar
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        {failure && <Banner tone="danger">{failure}</Banner>}
        {elsewhere.map(({ path, message }) => (
          <Banner key={path} tone="danger">
            {message}
          </Banner>
        ))}
        <div className="grid gap-3 sm:grid-cols-3">
          <Field label={`Preço (R$/${now.unidade})`} error={error('cultura.preco')} required>
            {(control) => (
              <NumberInput {...control} money value={price} onValue={(value) => setPrice(value ?? null)} />
            )}
          </Field>
          <DateField value={date} onValue={setDate} error={error('cultura.data')} />
          <SourceField value={source} onValue={setSource} error={error('cultura.fonte')} />
        </div>
        <section className="flex flex-col gap-3">
          <h3 className="font-semibold">Preços dos produtos</h3>
          <p className="text-small text-muted">
            Com eles o custo de cada tratamento é dose × preço, mais a aplicação. Ele aparece ao lado do custo
            digitado.
          </p>
          {products.map((product, at) => (
            <div
              key={product.key}
              className="grid items-start gap-3 border-t border-line pt-3 sm:grid-cols-[2fr_1fr_6rem_1fr_1.5fr_auto]"
            >
              <Field label="Produto" error={error(`produtos.${at}.nome`)}>
                {(control) => (
                  <Input
                    {...control}
                    value={product.nome}
                    maxLength={200}
                    onChange={(event) => change(product.key, { nome: event.target.value })}
                  />
                )}
              </Field>
              <Field label={`Preço (R$/${product.unidade})`} error={error(`produtos.${at}.preco`)}>
                {(control) => (
                  <NumberInput
                    {...control}
                    money
                    value={product.preco}
                    onValue={(value) => change(product.key, { preco: value ?? null })}
                  />
                )}
              </Field>
              <Field label="Por" error={error(`produtos.${at}.unidade`)}>
                {(control) => (
                  <Select
                    {...control}
                    value={product.unidade}
                    options={PRODUCT_UNITS}
                    onChange={(event) => change(product.key, { unidade: event.target.value as ProductUnit })}
                  />
                )}
              </Field>
              <DateField
                value={product.data}
                onValue={(data) => change(product.key, { data })}
                error={error(`produtos.${at}.data`)}
              />
              <SourceField
                value={product.fonte}
                onValue={(fonte) => change(product.key, { fonte })}
                error={error(`produtos.${at}.fonte`)}
              />
              <IconButton
                className="sm:mt-6"
                label={`Retirar ${product.nome || 'produto'}`}
                onClick={() => setProducts((all) => all.filter(({ key }) => key !== product.key))}
              >
                <X aria-hidden />
              </IconButton>
            </div>
          ))}
          <Button
            className="self-start"
            size="small"
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() =>
              setProducts((all) => [
                ...all,
                {
                  key: Math.max(-1, ...all.map(({ key }) => key)) + 1,
                  ...{ nome: next?.nome ?? '', unidade: next?.unidade ?? 'L', preco: null },
                  ...{ data: all.at(-1)?.data ?? date, fonte: all.at(-1)?.fonte ?? '' },
                },
              ])
            }
          >
            Incluir produto
          </Button>
          <Field
            label="Aplicação (R$/ha)"
            help="Uma aplicação para cada tratamento com produto."
            error={error('aplicacao_rs_ha')}
            className="max-w-xs"
          >
            {(control) => (
              <NumberInput
                {...control}
                money
                value={application}
                onValue={(value) => setApplication(value ?? null)}
              />
            )}
          </Field>
          <Checkbox
            label="Usar o custo das doses no lugar do digitado"
            checked={computed}
            onChange={(event) => setComputed(event.target.checked)}
          />
        </section>
      </div>
    </Dialog>
  )
}

type PartProps = { value: string; onValue: (value: string) => void; error: string | undefined }

/** A day or a month, as it is written in Brazil. */
function DateField({ value, onValue, error }: PartProps) {
  const [text, setText] = useState(() => value.split('-').reverse().join('/'))
  return (
    <Field label="Data" help="dia ou mês: 15/03/2026 ou 03/2026" error={error} required>
      {(control) => (
        <Input
          {...control}
          value={text}
          inputMode="numeric"
          maxLength={10}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value)
            const parts = event.target.value.trim().split('/').reverse()
            onValue(parts.map((part) => part.padStart(2, '0')).join('-'))
          }}
        />
      )}
    </Field>
  )
}

const SourceField = ({ value, onValue, error }: PartProps) => (
  <Field label="Fonte" help="CEPEA, nota fiscal, informado" error={error} required>
    {(control) => (
      <Input {...control} value={value} maxLength={100} onChange={(event) => onValue(event.target.value)} />
    )}
  </Field>
)
