/** `narrow`: on a phone without its word, where others need the room. */
export function Logo({ narrow = false }: { narrow?: boolean }) {
  return (
    <span className="flex items-center gap-2 text-title font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" className="size-7" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#1f4d3a" />
        <path d="M16 26V14" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" />
        <path d="M16 18c0-5 3.5-8.5 9-9 0 5.5-3.5 9-9 9Z" fill="#a7d7bd" />
        <path d="M16 22c0-4.5-3.2-7.6-8-8 0 4.900 3.2 8 8 8Z" fill="#fff" />
      </svg>
      <span className={narrow ? 'max-sm:hidden' : ''}>Ensaio</span>
    </span>
  )
}
