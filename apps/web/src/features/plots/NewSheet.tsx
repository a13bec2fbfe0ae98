import {
  drawnPlots,
  drawOrder,
  type Experiment,
  type Plot,
  TRIAL_DESIGNS,
  type TrialDesign,
  type TrialFactor,
} from '@ensaio/domain'
import { type FormEvent, useState } from 'react'
import { keptLayout } from '../../shell/kept-layout.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input, NumberInput, Select } from '../../ui/Input.tsx'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import { DESIGN_OPTIONS, type Draft } from './sheet-state.ts'

const SEEDS = 2 ** 32
const BLANK = {
  bloco: null,
  linha: null,
  coluna: null,
  parcela_principal: null,
  area_m2: null,
  observacao: null,
}
const YIELD = {
  chave: 'produtividade',
  nome: 'Produtividade',
  unidade: 'kg/ha',
  tipo: 'continua',
  papel: 'resposta',
  maior_melhor: true,
  produtividade: true,
  escala: null,
  formula: null,
} as const

/** A sheet for a trial that has none: its design, its repetitions, and plots to type into or to draw. */
export function NewSheet({
  experiment,
  draw,
  onCancel,
  onMade,
}: {
  experiment: Experiment
  draw: boolean
  onCancel: () => void
  onMade: (draft: Draft) => void
}) {
  const k = experiment.n_tratamentos
  const kept = draw ? keptLayout(k) : null
  const [design, setDesign] = useState<TrialDesign>(
    kept?.delineamento ?? (/inteiramente/i.test(experiment.tipo_estatistica) ? 'DIC' : 'DBC'),
  )
  const [repetitions, setRepetitions] = useState<number | null | undefined>(kept?.repeticoes ?? 4)
  const [a, setA] = useState<number | null | undefined>(kept?.a ?? 2)
  const [seed, setSeed] = useState<number | null | undefined>(
    () => kept?.semente ?? Math.floor(Math.random() * SEEDS),
  )
  const [serpentine, setSerpentine] = useState(kept?.serpentina ?? true)
  const [names, setNames] = useState(['Fator A', 'Fator B'])
  const [problem, setProblem] = useState<string | null>(null)
  const crossed = design === 'PSUB' || design === 'FAIXAS'
  const options = DESIGN_OPTIONS.filter(({ value }) => !draw || value !== 'DBI')

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const r = design === 'DQL' ? k : (repetitions ?? 0)
    const levels = crossed ? (a ?? 0) : 1
    if (!Number.isInteger(r) || r < 1 || r > 100) return setProblem('Informe de 1 a 100 repetições')
    if (k * r > 2000) return setProblem('Um ensaio tem no máximo 2.000 parcelas')
    if (crossed && (!Number.isInteger(levels) || levels < 2 || k % levels !== 0 || k / levels < 2))
      return setProblem(`Os ${k} tratamentos precisam ser níveis de A vezes níveis de B`)
    if (draw && (seed == null || !Number.isInteger(seed) || seed < 0 || seed >= SEEDS))
      return setProblem('Informe uma semente de 0 a 4.294.967.295')
    const b = k / levels
    const request = {
      delineamento: design,
      tratamentos: k,
      repeticoes: r,
      a: levels,
      b,
      semente: seed ?? 0,
      serpentina: serpentine,
    }
    const order = draw ? drawOrder(request) : plainOrder(design, k, r)
    if (!order) return setProblem('Este delineamento não é sorteado aqui')
    const plots: Plot[] = drawnPlots(order, request).map((plot) => ({ ...BLANK, ...plot }))
    onMade({
      versao: 0,
      delineamento: design,
      testemunha: 1,
      fatores: crossed ? factors(names) : [],
      tratamentos: experiment.tratamentos.map((_, at) => ({
        numero: at + 1,
        nome: null,
        niveis: crossed ? { A: `a${Math.floor(at / b) + 1}`, B: `b${(at % b) + 1}` } : null,
      })),
      variaveis: [{ ...YIELD }],
      avaliacoes: [],
      parcelas: draw ? plots : plots.map((plot) => ({ ...plot, ...whereTyped(design, plot) })),
      valores: [{ variavel: 'produtividade', avaliacao: null, valores: plots.map(() => null) }],
      exclusoes: [],
      semente: draw ? (seed ?? null) : null,
      croqui: draw ? { origem: 'sorteado aqui', serpentina: serpentine } : null,
    })
  }

  return (
    <Card className="max-w-3xl">
      <CardHeader
        title={draw ? 'Sortear croqui' : 'Nova ficha de parcelas'}
        subtitle={`${k} tratamentos; T1 é a Testemunha`}
      />
      <form onSubmit={submit} className="flex flex-col gap-4 px-5 pb-5" noValidate>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Delineamento" required>
            {(control) => (
              <Select
                {...control}
                value={design}
                options={options}
                onChange={(event) => {
                  const next = TRIAL_DESIGNS.find((one) => one === event.target.value)
                  if (next) setDesign(next)
                }}
              />
            )}
          </Field>
          {design !== 'DQL' && (
            <Field label={design === 'DIC' ? 'Repetições' : 'Blocos'} required>
              {(control) => <NumberInput {...control} value={repetitions} onValue={setRepetitions} />}
            </Field>
          )}
          {crossed && (
            <>
              <Field label="Nome do fator A" help={design === 'PSUB' ? 'Na parcela' : 'Na primeira faixa'}>
                {(control) => (
                  <Input
                    {...control}
                    value={names[0]}
                    maxLength={60}
                    onChange={(event) => setNames([event.target.value, names[1] ?? ''])}
                  />
                )}
              </Field>
              <Field label="Nome do fator B" help={design === 'PSUB' ? 'Na subparcela' : 'Na segunda faixa'}>
                {(control) => (
                  <Input
                    {...control}
                    value={names[1]}
                    maxLength={60}
                    onChange={(event) => setNames([names[0] ?? '', event.target.value])}
                  />
                )}
              </Field>
              <Field
                label="Níveis de A"
                required
                help="Os tratamentos seguem a1b1, a1b2, …; os níveis são editados depois."
              >
                {(control) => <NumberInput {...control} value={a} onValue={setA} />}
              </Field>
            </>
          )}
          {draw && (
            <Field
              label="Semente"
              required
              help="Com a mesma semente qualquer pessoa repete o sorteio; ela fica gravada."
            >
              {(control) => <NumberInput {...control} grouping={false} value={seed} onValue={setSeed} />}
            </Field>
          )}
        </div>
        {draw && (
          <Checkbox
            label="Caminhamento em serpentina"
            checked={serpentine}
            onChange={(event) => setSerpentine(event.target.checked)}
          />
        )}
        {problem && (
          <p role="alert" className="text-small text-danger">
            {problem}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onCancel}>Voltar</Button>
          <Button type="submit" variant="primary">
            {draw ? 'Sortear' : 'Continuar'}
          </Button>
        </div>
      </form>
    </Card>
  )
}

const factors = ([a = '', b = '']: string[]): TrialFactor[] => [
  { chave: 'A', nome: a.trim() || 'Fator A', tipo: 'qualitativo', unidade: '' },
  { chave: 'B', nome: b.trim() || 'Fator B', tipo: 'qualitativo', unidade: '' },
]

/** As one writes them on paper: block after block, T1 first. A Latin square moves by one a row. */
function plainOrder(design: TrialDesign, k: number, r: number): number[][] {
  const each = Array.from({ length: k }, (_, at) => at + 1)
  const blocks = Array.from({ length: r }, (_, at) => at)
  if (design === 'DQL') return blocks.map((row) => each.map((_, column) => ((row + column) % k) + 1))
  if (design === 'DIC') return [blocks.flatMap(() => each)]
  return blocks.map(() => each)
}

/** Where nothing was drawn, nobody knows where a plot lies; a Latin square's rows and columns are its design. */
const whereTyped = (design: TrialDesign, { linha, coluna }: Plot) =>
  design === 'DQL' ? { linha, coluna } : { linha: null, coluna: null }
