import type { Organization } from '@ensaio/domain'
import { useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { problemsOf } from '../../shell/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

/** The house's own green, until a colour is chosen. */
const FIRST_COLOUR = '#1f4d3a'

/** The logo and the colour of the organisation's reports. */
export function ReportBrand({ own }: { own: Organization }) {
  const params = { id: own.id }
  const query = useEndpoint('getBrand', { params }, { ofServer: true })
  const chooser = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const mine = own.papel === 'dono'
  const brand = query.data?.marca

  const put = async (fields: Record<string, string | File>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    setBusy(true)
    setProblem(null)
    try {
      await call('putBrand', { params }, { form })
      await query.refetch()
      toast.success('Alteração salva')
    } catch (error) {
      setProblem(Object.values(problemsOf(error))[0] ?? 'A alteração não foi salva')
    }
    setBusy(false)
  }

  return (
    <section aria-labelledby="marca" className="border-t border-line px-5 py-4">
      <h3 id="marca" className="font-semibold">
        Marca dos relatórios
      </h3>
      <p className="mb-3 max-w-xl text-small text-muted">
        O logotipo vai na capa e nos slides; a cor, nos destaques. PNG, JPEG ou SVG de até 1 MB.
      </p>
      {query.isError ? (
        <ErrorState message={query.error.message} onRetry={() => query.refetch()} />
      ) : !brand ? (
        <Skeleton className="h-20" />
      ) : (
        <div className="flex flex-wrap items-center gap-4">
          {/* On paper it stands on white. */}
          <div className="flex h-20 w-48 items-center justify-center rounded-md border border-line bg-white p-2">
            {brand.logo ? (
              <img src={brand.logo} alt="Logotipo da organização" className="max-h-full max-w-full" />
            ) : (
              <span className="text-small text-stone-600">Sem logotipo</span>
            )}
          </div>
          <input
            ref={chooser}
            type="file"
            hidden
            accept="image/png,image/jpeg,image/svg+xml"
            onChange={(event) => {
              const [file] = event.target.files ?? []
              event.target.value = ''
              if (file) void put({ logo: file })
            }}
          />
          <Button size="small" busy={busy} disabled={!mine} onClick={() => chooser.current?.click()}>
            {brand.logo ? 'Trocar logotipo' : 'Enviar logotipo'}
          </Button>
          {brand.logo && (
            <Button size="small" disabled={!mine || busy} onClick={() => void put({ sem_logo: '1' })}>
              Retirar logotipo
            </Button>
          )}
          <label className="flex min-h-8 items-center gap-2">
            <input
              key={brand.cor ?? ''}
              type="color"
              className="h-8 w-12 rounded border border-line bg-transparent"
              defaultValue={brand.cor ?? FIRST_COLOUR}
              disabled={!mine || busy}
              // React's change is each step of the chooser; the browser's is what was chosen when it closes.
              ref={(input) => {
                const send = () => {
                  if (input && input.value !== (brand.cor ?? FIRST_COLOUR)) void put({ cor: input.value })
                }
                input?.addEventListener('change', send)
                return () => input?.removeEventListener('change', send)
              }}
            />
            Cor dos relatórios
          </label>
          {brand.cor && (
            <Button size="small" disabled={!mine || busy} onClick={() => void put({ cor: '' })}>
              Sem cor
            </Button>
          )}
        </div>
      )}
      <p role="alert" className="mt-2 text-danger empty:hidden">
        {problem}
      </p>
    </section>
  )
}
