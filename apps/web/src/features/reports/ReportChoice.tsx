import type { ReportParts } from '@ensaio/domain'
import { useState } from 'react'
import { call, reasonOf } from '../../api/client.ts'
import { keyOf, useEndpoint } from '../../api/queries.ts'
import { answerIs } from '../../api/query-client.ts'
import { Checkbox } from '../../ui/Input.tsx'
import { toast } from '../../ui/toast.tsx'

/** One of a report's formats. */
export function Formats<F extends string>({
  formats,
  value,
  onChange,
}: {
  formats: readonly { value: F; label: string }[]
  value: F
  onChange: (value: F) => void
}) {
  return (
    <fieldset className="pb-5">
      <legend className="pb-2 font-medium">Formato</legend>
      <div className="flex flex-col gap-1">
        {formats.map((format) => (
          <label key={format.value} className="flex min-h-8 items-center gap-2.5">
            <input
              type="radio"
              name="formato"
              className="size-4 accent-(--accent)"
              checked={format.value === value}
              onChange={() => onChange(format.value)}
            />
            {format.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Which parts a report has; those left out the last time are left out again once kept, on every device. */
export function useParts<S extends string>(all: readonly S[], of: keyof ReportParts) {
  const kept = useEndpoint('getReportParts', {}, { ofServer: true })
  const [turned, setTurned] = useState<ReadonlySet<string> | null>(null)
  const out = turned ?? new Set<string>(kept.data?.partes[of])
  return {
    waiting: kept.isPending,
    chosen: all.filter((part) => !out.has(part)),
    turn(part: S) {
      const next = new Set(out)
      if (!next.delete(part)) next.add(part)
      setTurned(next)
    },
    /** A report neither waits for it nor fails with it; that it was not kept is said. */
    keep() {
      if (!turned) return
      const left = all.filter((part) => turned.has(part))
      answerIs<{ partes: ReportParts }>(
        keyOf('getReportParts', {}),
        (before) => before && { partes: { ...before.partes, [of]: left } },
      )
      call('setReportParts', { body: { [of]: left } }).catch((error) =>
        toast.error(
          'A escolha das partes vale só para este relatório',
          reasonOf(error, 'Não pôde ser guardada'),
        ),
      )
    },
  }
}

export function Parts<S extends string>({
  names,
  parts: { waiting, chosen, turn },
  hidden,
}: {
  names: Record<S, string>
  parts: Pick<ReturnType<typeof useParts<S>>, 'waiting' | 'chosen' | 'turn'>
  hidden: boolean
}) {
  return (
    <fieldset hidden={hidden}>
      <legend className="pb-2 font-medium">Partes do relatório</legend>
      <div className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
        {(Object.keys(names) as S[]).map((part) => (
          <Checkbox
            key={part}
            label={names[part]}
            checked={chosen.includes(part)}
            disabled={waiting}
            onChange={() => turn(part)}
          />
        ))}
      </div>
    </fieldset>
  )
}
