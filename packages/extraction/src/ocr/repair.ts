/** Misreadings of units and codes that mean nothing as they stand, with what was printed. */
const REPAIRS: readonly [RegExp, string][] = [
  [/^9\/(?=kg|dm|ha|100|planta)/, 'g/'],
  [/^9g\/(?=kg|dm|ha|100)/, 'g/'],
  // 'mil' is a word.
  [/^m(?:[lI1|][lL](?=\/|$)|il(?=\/))/, 'mL'],
  [/\/[Kk]kg\b/, '/kg'],
  [/\/dm[:;.'"*]+[3?]?/, '/dm3'],
  [/^V[vV](?=\d)/, 'V'],
  [/^C[cC]v(?=%|$)/, 'CV'],
  // A letter that counts, read twice: 'Cc)'.
  [/^Cc(?=\)?$)/, 'C'],
  [/^(\(?)scl\/ha/, '$1sc/ha'],
  [/^(\(?)kgl(?=t\b|ha\b)/, '$1kg/'],
  [/^RO[!1l|]$/, 'ROI'],
  [/(?<=\/c?m)\?(?=\)?$)/, '²'],
  [/^(.*\bha)["'!*]+(?=\)?$)/, '$1-1'],
  // A raised mark of a footnote behind a word.
  [/^(\p{L}{4,}?)l?\([?1lI!*]\)$/u, '$1'],
  [/^m[I1|](?=\/(?:ha|100))/, 'mL'],
  [/^(\(?)(sc|[Ss]acas|kg|t|mL|L|g|[Dd]oses?)[l1I|]ha\b/, '$1$2/ha'],
  // '2 U/ha', '1,0 (/ha': no letter but L is read like this.
  [/^(\d[\d.,]*)?[(U]\/?ha$/, '$1L/ha'],
  // Written by hand: 'Tectemunha'.
  [/^T[ea][sc5][tl1]e[mn][uv][nm]h[ao]$/, 'Testemunha'],
  // '0,75 1/ha'
  [/^[1I|]\/ha$/, 'L/ha'],
  // 't/' runs together to a V.
  [/^(\(?)Vha(?=\)?$)/, '$1t/ha'],
  [/^(\(?)R[S5](?=\/(?:ha|t)\b)/, '$1R$'],
  // No Portuguese word begins with an l and another consonant: 'ljuí' is 'Ijuí'.
  [/^l(?=[bcdfgjkmnpqrstvxz]\p{L})/u, 'I'],
  [/^[oO](\d)$/, '0$1'],
  // The sign of the arroba.
  [/^(?:[&©®€][OQ0Ga]?|[OQ])(?=\/ha)/, '@'],
  [/^T[Il|]$/, 'T1'],
  [/^TA$/, 'T4'],
  [/^[àáâã]$/, 'a'],
  // Piauí is the only state whose code ends like this.
  [/^P[l1|]$/, 'PI'],
]

export function repairWord(text: string): string {
  for (const [pattern, printed] of REPAIRS) if (pattern.test(text)) return text.replace(pattern, printed)
  return text
}

/** 'RS' in front of an amount is money; the same sign after a place or its label is the state. */
export function repairCurrency(text: string, next: string | undefined): string {
  return /^R[S5]$/.test(text) && /^(?:\d|\/|ha\b)/.test(next ?? '') ? 'R$' : text
}
