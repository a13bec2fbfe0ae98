import { Link } from 'react-router'
import { paths } from './paths.ts'

/** The way to where many files are read. */
export const SeveralReports = () => (
  <Link to={`${paths.extractor}?modo=lote`} className="font-medium text-accent underline underline-offset-4">
    Vários relatórios
  </Link>
)
