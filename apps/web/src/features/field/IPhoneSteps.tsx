import type { ReactNode, SVGProps } from 'react'

/** How the application is installed where the browser offers nothing: the two things to touch, as they look there. */
export function IPhoneSteps() {
  return (
    <>
      <p>Toque em Compartilhar e depois em “Adicionar à Tela de Início”.</p>
      <ol className="mt-2 grid max-w-sm grid-cols-2 gap-3">
        <Step at={1} of="Compartilhar">
          <Bar />
        </Step>
        <Step at={2} of="Adicionar à Tela de Início">
          <Entry />
        </Step>
      </ol>
      <p className="mt-2 text-small">Se Compartilhar não estiver na barra, procure em “•••”.</p>
    </>
  )
}

function Step({ at, of, children }: { at: number; of: string; children: ReactNode }) {
  return (
    <li className="flex flex-col gap-1">
      {children}
      <span className="text-small">
        <span className="font-semibold">{at}.</span> {of}
      </span>
    </li>
  )
}

/** Where the share sign is drawn: a box that is open above, with an arrow out of it. */
const SHARE = 'M-4 -2h-3v12h14v-12h-3M0 5v-14M-4 -5.5L0 -9.5L4 -5.5'
/** A square with a plus, as it stands beside the words in the list. */
const ADD = 'M-7 -4a3 3 0 0 1 3 -3h8a3 3 0 0 1 3 3v8a3 3 0 0 1 -3 3h-8a3 3 0 0 1 -3 -3zM0 -4v8M-4 0h8'

const LINE: SVGProps<SVGPathElement> = {
  ...{ fill: 'none', stroke: 'currentColor', strokeWidth: 1.8 },
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
}

function Picture({ label, children }: { label: string; children: ReactNode }) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 144 60"
      className="w-full rounded-md border border-current bg-surface text-text"
    >
      {children}
    </svg>
  )
}

/** The lower end of the browser, with its share button marked among the others. */
function Bar() {
  return (
    <Picture label="Barra do navegador: Compartilhar é um quadrado com uma seta para cima">
      <path {...LINE} strokeWidth={1} opacity={0.5} d="M0 16h144" />
      <g opacity={0.5}>
        <path {...LINE} d="M19 32l-6 6l6 6M37 32l6 6l-6 6" />
        <path {...LINE} d="M96 32h9v12h-9zM105 32h5v12h-5" />
        <path {...LINE} d="M122 33h10v7h-10zM126 44h10v-7" />
      </g>
      <circle cx={72} cy={37.5} r={17} className="fill-accent-soft" />
      <circle cx={72} cy={37.5} r={17} fill="none" className="stroke-accent" strokeWidth={2} />
      <path {...LINE} d={SHARE} transform="translate(72 38)" />
    </Picture>
  )
}

/** A line of the list that opens, with the sign at its end. */
function Entry() {
  return (
    <Picture label="Linha da lista: Adicionar à Tela de Início tem um quadrado com um sinal de mais">
      <path {...LINE} strokeWidth={4} opacity={0.3} d="M14 9h44M14 53h60" />
      <rect x={5} y={17} width={134} height={27} rx={6} className="fill-accent-soft stroke-accent" />
      <path {...LINE} strokeWidth={4} d="M14 30.5h72" />
      <path {...LINE} d={ADD} transform="translate(122 30.5)" />
    </Picture>
  )
}
