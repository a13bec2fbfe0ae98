import { counted, type PlotImport } from '@ensaio/domain'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { type Change, complaintOf, type Draft } from './sheet-state.ts'

export type Pasted = {
  /** By place, from the chosen cell on. */
  changes: readonly Change[]
  /** By treatment and block, where the block says them. */
  matched: PlotImport | null
}

/** What a paste would write, before it does: how many values, how many were not understood. */
export function PasteDialog({
  pasted: { changes, matched },
  onClose,
  onPlace,
  onSheet,
}: {
  pasted: Pasted
  onClose: () => void
  onPlace: (changes: readonly Change[]) => void
  onSheet: (part: Partial<Draft>) => void
}) {
  const fits = ({ text, column }: Change) => complaintOf(column, text) === ''
  const wrong = changes.filter((one) => !fits(one))
  const good = changes.length - wrong.length
  const sheet = matched?.ficha
  return (
    <Dialog
      open
      onClose={onClose}
      title="Colar valores"
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          {sheet && matched.erros.length === 0 && (
            <Button
              variant="primary"
              onClick={() => {
                const { variaveis, avaliacoes = [], parcelas, valores = [] } = sheet
                // It was made of a sheet that stands, whose parts are whole.
                onSheet({ variaveis, avaliacoes, parcelas, valores } as Partial<Draft>)
              }}
            >
              Casar por tratamento e bloco
            </Button>
          )}
          <Button
            variant={sheet && matched?.erros.length === 0 ? 'secondary' : 'primary'}
            disabled={good === 0}
            onClick={() => onPlace(changes.filter(fits))}
          >
            {sheet ? 'Colar pela posição' : 'Colar'}
          </Button>
        </>
      }
    >
      <div className="figures flex flex-col gap-3">
        <p>
          {counted(good, 'valor será gravado', 'valores serão gravados')}
          {wrong.length > 0 && `, ${counted(wrong.length, 'não foi entendido', 'não foram entendidos')}`}
        </p>
        {wrong.length > 0 && (
          <Banner tone="warn" title="Não entendidos; as células ficam como estão">
            {wrong
              .slice(0, 12)
              .map(({ text }) => `“${text.slice(0, 30)}”`)
              .join(', ')}
          </Banner>
        )}
        {matched && (
          <Banner
            tone={matched.erros.length > 0 ? 'warn' : 'info'}
            title="O bloco tem colunas de tratamento e bloco"
          >
            {matched.erros.length === 0
              ? 'Os valores podem ser casados por elas em vez de pela posição.'
              : matched.erros.slice(0, 8).map(({ linha, mensagem }) => (
                  <span key={`${linha}${mensagem}`} className="block">
                    Linha {linha}: {mensagem}
                  </span>
                ))}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
