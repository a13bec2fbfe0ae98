import type { ReactNode } from 'react'

/** A page of legal text, set for reading. */
export function LegalPage({
  title,
  updated,
  children,
}: {
  title: string
  updated: string
  children: ReactNode
}) {
  return (
    <main id="conteudo" className="page max-w-3xl py-12">
      <h1 className="text-display font-semibold">{title}</h1>
      <p className="mt-1 text-muted">Última atualização: {updated}</p>
      <div className="mt-8 flex flex-col gap-8">{children}</div>
    </main>
  )
}

export function Clause({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="text-title font-semibold">{title}</h2>
      <div className="mt-2 flex flex-col gap-3 text-muted [&_li]:ml-5 [&_li]:list-disc">{children}</div>
    </section>
  )
}
