import { Link } from 'react-router'
import { leaveForInbox } from './handoff.ts'
import { paths } from './paths.ts'

/** The way to where many files are read; those that were dropped go along. */
export const SeveralReports = ({ files }: { files: readonly File[] }) => (
  <Link
    to={`${paths.extractor}?modo=lote`}
    onClick={() => leaveForInbox(files)}
    className="font-medium text-accent underline underline-offset-4"
  >
    Vários relatórios
  </Link>
)
