import { formatCurrency, formatNumber, HIDDEN, type MapPoint } from '@ensaio/domain'

type Handlers = {
  onDetails: (id: string) => void
  /** What a product of the trial does over all trials. */
  onSynthesis: (product: string) => void
  onTurn: () => void
}

/**
 * What stands at a spot of the map: one experiment at a time, with the way to the others there. Built of text
 * nodes: nothing that a person typed is ever read as markup.
 */
export function popupOf(
  spot: readonly MapPoint[],
  first: MapPoint,
  { onDetails, onSynthesis, onTurn }: Handlers,
): HTMLElement {
  const box = document.createElement('div')
  const show = (point: MapPoint, focus?: 'back' | 'on' | number) => {
    box.replaceChildren(
      ...factsOf(point),
      link('Ver detalhes', 'mt-2', () => onDetails(point.id)),
      ...point.produtos.map((product) =>
        link(`Ver síntese de ${product}`, 'mt-1 block text-left', () => onSynthesis(product)),
      ),
    )
    if (spot.length > 1) {
      const others = pager(spot, point, show)
      box.append(...others)
      if (focus !== undefined) {
        onTurn()
        box.querySelector<HTMLElement>(`[data-turn="${focus}"]`)?.focus()
      }
    }
  }
  show(first)
  return box
}

const signed = (value: number) => `${value > 0 ? '+' : ''}${formatNumber(value, 1)}`

function factsOf(point: MapPoint): HTMLElement[] {
  const badges = [
    point.no_local > 1 ? `${point.no_local} experimentos aqui` : null,
    point.aproximada ? 'localização aproximada' : null,
  ]
  const facts: [string, string][] = [
    ['Consultoria', point.consultoria],
    ['Marca', point.marca],
    ['Cultura', point.cultura],
    ['Ano', String(point.ano)],
    ['Produtividade', `${formatNumber(point.produtividade_media, 0)} kg/ha`],
    ...(point.ganho_percent === null
      ? []
      : [['Ganho', `${signed(point.ganho_percent)} % sobre a Testemunha`] satisfies [string, string]]),
    ['ROI', point.oculto ? HIDDEN : formatCurrency(point.roi)],
    ['Regional', point.regional],
    ['Tratamentos', formatNumber(point.n_tratamentos, 0)],
  ]
  const list = element('dl', 'mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 figures')
  for (const [name, value] of facts)
    list.append(element('dt', 'text-muted', `${name}:`), element('dd', '', value))
  return [
    element('p', 'text-base font-semibold', `${point.cidade}/${point.estado}`),
    ...badges
      .filter((text) => text !== null)
      .map((text) =>
        element(
          'p',
          'mt-1 mr-1 inline-block rounded-full bg-accent-soft px-2 py-0.5 font-medium text-accent',
          text,
        ),
      ),
    list,
  ]
}

function pager(
  spot: readonly MapPoint[],
  point: MapPoint,
  show: (point: MapPoint, focus: 'back' | 'on' | number) => void,
): HTMLElement[] {
  const at = spot.indexOf(point)
  const to = (step: number) => spot[(at + step + spot.length) % spot.length] ?? point
  const row = element('div', 'mt-2 flex items-center justify-between gap-2 border-t border-line pt-2')
  const back = link('Voltar', '', () => show(to(-1), 'back'))
  back.dataset['turn'] = 'back'
  const on = link('Avançar', '', () => show(to(1), 'on'))
  on.dataset['turn'] = 'on'
  row.append(back, element('span', 'figures text-muted', `${at + 1} de ${spot.length} neste ponto`), on)
  const list = element('ul', 'mt-1 max-h-20 overflow-y-auto')
  list.tabIndex = -1
  for (const [index, other] of spot.entries()) {
    const choice = link(`${other.consultoria}: ${other.cultura}, ${other.ano}`, 'w-full py-1 text-left', () =>
      show(other, index),
    )
    choice.dataset['turn'] = String(index)
    if (other === point) choice.setAttribute('aria-current', 'true')
    const item = element('li', '')
    item.append(choice)
    list.append(item)
  }
  return [row, list]
}

function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}

function link(text: string, className: string, run: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = `font-medium text-accent underline-offset-4 hover:underline ${className}`
  button.textContent = text
  button.addEventListener('click', (event) => {
    // What was clicked is about to be replaced: the map would take that for a click beside the popup.
    event.stopPropagation()
    run()
  })
  return button
}
