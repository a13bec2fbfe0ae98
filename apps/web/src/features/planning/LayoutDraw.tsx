import { counted, DESIGN_NAMES, drawnPlots, drawOrder, TRIAL_DESIGNS, type TrialDesign } from '@ensaio/domain'
import { Download, Image } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { FieldMap } from '../../charts/FieldMap.tsx'
import { fieldPicture } from '../../charts/field.ts'
import { pngOf } from '../../charts/framed.ts'
import { keepLayout } from '../../shell/kept-layout.ts'
import { useMay, useOriginOf } from '../../shell/organization.tsx'
import { paths } from '../../shell/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { downloadCsv, downloadUrl } from '../../ui/download.ts'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, NumberInput, Select } from '../../ui/Input.tsx'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

const SEEDS = 2 ** 32
const DRAWN = TRIAL_DESIGNS.filter((design) => design !== 'DBI')

type Drawn = { request: Parameters<typeof drawnPlots>[1]; plots: ReturnType<typeof drawnPlots> }

/** The layout of a trial that does not exist yet; the same seed gives the same layout to anybody. */
export function LayoutDraw() {
  const navigate = useNavigate()
  const origin = useOriginOf('Croqui sorteado, sem experimento')
  const [design, setDesign] = useState<TrialDesign>('DBC')
  const [treatments, setTreatments] = useState<number | null | undefined>(6)
  const [repetitions, setRepetitions] = useState<number | null | undefined>(4)
  const [a, setA] = useState<number | null | undefined>(2)
  const [b, setB] = useState<number | null | undefined>(3)
  const [seed, setSeed] = useState<number | null | undefined>(() => Math.floor(Math.random() * SEEDS))
  const [serpentine, setSerpentine] = useState(true)
  const [problem, setProblem] = useState<string | null>(null)
  const [drawn, setDrawn] = useState<Drawn | null>(null)
  const create = useMay()('experiment.create')
  const crossed = design === 'PSUB' || design === 'FAIXAS'

  const draw = (event: FormEvent) => {
    event.preventDefault()
    const whole = (value: number | null | undefined, least: number, most: number): value is number =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
    const [levelsA, levelsB] = crossed ? [a, b] : [1, 1]
    if (!whole(levelsA, 1, 50) || !whole(levelsB, 1, 50)) return setProblem('Informe de 2 a 50 níveis')
    const k = crossed ? levelsA * levelsB : treatments
    if (!whole(k, 2, 500)) return setProblem('Informe de 2 a 500 tratamentos')
    const r = design === 'DQL' ? k : repetitions
    if (!whole(r, 1, 100)) return setProblem('Informe de 1 a 100 repetições')
    if (k * r > 2000) return setProblem('Um ensaio tem no máximo 2.000 parcelas')
    if (!whole(seed, 0, SEEDS - 1)) return setProblem('Informe uma semente de 0 a 4.294.967.295')
    const request = {
      ...{ delineamento: design, tratamentos: k, repeticoes: r, a: levelsA, b: levelsB },
      ...{ semente: seed, serpentina: serpentine },
    }
    const order = drawOrder(request)
    setProblem(null)
    setDrawn(order && { request, plots: drawnPlots(order, request) })
  }
  const handOn = () => {
    if (!drawn) return
    const { delineamento, tratamentos, repeticoes, a: levels, semente, serpentina } = drawn.request
    keepLayout({ delineamento, tratamentos, repeticoes, a: levels, semente, serpentina })
    toast.success('Croqui guardado: depois de cadastrar o experimento, abra Parcelas e Sortear croqui')
    navigate(paths.wizard)
  }

  return (
    <Card>
      <CardHeader title="Sorteio do croqui" subtitle="com a mesma semente qualquer pessoa repete o sorteio" />
      <form onSubmit={draw} noValidate className="flex flex-col gap-4 px-5 pb-5">
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          <Field label="Delineamento">
            {(control) => (
              <Select
                {...control}
                value={design}
                options={DRAWN.map((value) => ({ value, label: `${value} – ${DESIGN_NAMES[value]}` }))}
                onChange={(event) => {
                  const next = DRAWN.find((one) => one === event.target.value)
                  if (next) setDesign(next)
                }}
              />
            )}
          </Field>
          {crossed ? (
            <>
              <Field label="Níveis de A">
                {(control) => <NumberInput {...control} value={a} onValue={setA} />}
              </Field>
              <Field label="Níveis de B">
                {(control) => <NumberInput {...control} value={b} onValue={setB} />}
              </Field>
            </>
          ) : (
            <Field label="Tratamentos">
              {(control) => <NumberInput {...control} value={treatments} onValue={setTreatments} />}
            </Field>
          )}
          {design !== 'DQL' && (
            <Field label={design === 'DIC' ? 'Repetições' : 'Blocos'}>
              {(control) => <NumberInput {...control} value={repetitions} onValue={setRepetitions} />}
            </Field>
          )}
          <Field label="Semente">
            {(control) => <NumberInput {...control} grouping={false} value={seed} onValue={setSeed} />}
          </Field>
        </div>
        <Checkbox
          label="Caminhamento em serpentina"
          checked={serpentine}
          onChange={(event) => setSerpentine(event.target.checked)}
        />
        {problem && (
          <p role="alert" className="text-small text-danger">
            {problem}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary">
            Sortear
          </Button>
          {drawn && (
            <>
              <Button
                icon={<Download aria-hidden className="size-4" />}
                onClick={() =>
                  downloadCsv(
                    `croqui-${drawn.request.semente}.csv`,
                    ['Parcela', 'Bloco', 'Linha', 'Coluna', 'Tratamento'],
                    drawn.plots.map(({ numero, bloco, linha, coluna, tratamento }) =>
                      [numero, bloco ?? '', linha, coluna, `T${tratamento}`].map(String),
                    ),
                  )
                }
              >
                CSV
              </Button>
              <Button
                icon={<Image aria-hidden className="size-4" />}
                onClick={() =>
                  downloadUrl(
                    pngOf(
                      fieldPicture({
                        ...{
                          plots: drawn.plots,
                          values: drawn.plots.map(() => null),
                          middle: 0,
                          decimals: 0,
                        },
                        north: null,
                      }),
                      {
                        title: `Croqui (${DESIGN_NAMES[drawn.request.delineamento]})`,
                        lines: [
                          `${counted(drawn.plots.length, 'parcela', 'parcelas')} · semente ${drawn.request.semente}`,
                          ...origin,
                        ],
                      },
                    ),
                    `croqui-${drawn.request.semente}.png`,
                  )
                }
              >
                PNG
              </Button>
              <Button
                disabled={!create.allowed}
                title={create.allowed ? undefined : create.reason}
                onClick={handOn}
              >
                Cadastrar experimento com este croqui
              </Button>
            </>
          )}
        </div>
      </form>
      {drawn && (
        <div className="px-5 pb-5">
          <FieldMap
            plots={drawn.plots}
            values={drawn.plots.map(() => null)}
            said={(at) => {
              const one = drawn.plots[at]
              return one ? `Parcela ${one.numero}: T${one.tratamento}` : ''
            }}
            middle={0}
            decimals={0}
          />
        </div>
      )}
    </Card>
  )
}
