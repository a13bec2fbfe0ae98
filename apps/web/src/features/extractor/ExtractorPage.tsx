import { useNavigate } from 'react-router'
import { leaveForWizard, WIZARD_FROM_REVIEW } from '../../app/handoff.ts'
import { useTitle } from '../../app/title.ts'
import { Extractor } from './Extractor.tsx'

export function ExtractorPage() {
  useTitle('Extrator')
  const navigate = useNavigate()
  return (
    <div className="page flex flex-col gap-6 py-8">
      <header>
        <h1 className="text-display font-semibold">Extrator de PDF</h1>
        <p className="text-muted">
          Envie um relatório de ensaio e veja o que é lido dele, com o lugar de cada valor.
        </p>
      </header>
      <Extractor
        onConfirm={(handoff) => {
          leaveForWizard(handoff)
          navigate(WIZARD_FROM_REVIEW)
        }}
      />
    </div>
  )
}
