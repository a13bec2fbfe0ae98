import { type Experiment, formatYield, meansDiffer, type TrialSheet, yieldMeans } from '@ensaio/domain'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

export type Differing = { numero: number; produtividade: number; informada: number }

/** Treatments whose typed mean is another than that of the plots. */
export const differing = (
  sheet: Parameters<typeof yieldMeans>[0],
  { tratamentos }: Pick<Experiment, 'tratamentos'>,
): Differing[] =>
  (yieldMeans(sheet) ?? []).flatMap(({ numero, produtividade }) => {
    const informada = tratamentos[numero - 1]?.produtividade
    return produtividade !== null && informada !== undefined && meansDiffer(informada, produtividade)
      ? [{ numero, produtividade, informada }]
      : []
  })

/** The pure functions look at plots and reasons, never at who gave them. */
export const unsigned = <T extends { exclusoes?: readonly object[] | undefined }>(sheet: T) =>
  ({
    ...sheet,
    exclusoes: (sheet.exclusoes ?? []).map((out) => ({ ...out, quem: null, quando: '' })),
    alterada_em: '',
    alterada_por: null,
  }) as unknown as TrialSheet

/** Asked before plots replace the means that were typed, the first time. */
export function MeansDialog({
  experiment,
  rows,
  busy,
  onClose,
  onUse,
}: {
  experiment: Experiment
  rows: readonly Differing[]
  busy: boolean
  onClose: () => void
  onUse: () => void
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="As médias digitadas diferem das médias das parcelas"
      description="Mais de 0,5 % ou 1 kg/ha"
      footer={
        <>
          <Button onClick={onClose}>Voltar e conferir</Button>
          <Button variant="primary" busy={busy} onClick={onUse}>
            Usar as médias das parcelas
          </Button>
        </>
      }
    >
      <table className="figures w-full text-left">
        <thead>
          <tr className="text-small text-muted">
            <th className="py-1.5 font-medium">Trat.</th>
            <th className="py-1.5 text-right font-medium">Digitada</th>
            <th className="py-1.5 text-right font-medium">Das parcelas</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ numero, produtividade, informada }) => (
            <tr key={numero} className="border-t border-line">
              <td className="py-1.5">
                T{numero} <span className="text-muted">{experiment.tratamentos[numero - 1]?.nome}</span>
              </td>
              <td className="py-1.5 text-right">{formatYield(informada)}</td>
              <td className="py-1.5 text-right font-semibold">{formatYield(produtividade)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="pt-3 text-small text-muted">
        As médias digitadas continuam no histórico, e a diferença fica visível aqui.
      </p>
    </Dialog>
  )
}
