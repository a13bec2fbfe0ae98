/** The theme's colours for a canvas, read from the page's own tokens. */
export type Palette = {
  text: string
  muted: string
  line: string
  surface: string
  accent: string
  warn: string
  faint: string
}

export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    text: token('--text'),
    muted: token('--muted'),
    line: token('--line'),
    surface: token('--surface'),
    accent: token('--accent'),
    warn: token('--warn'),
    faint: token('--faint'),
  }
}
