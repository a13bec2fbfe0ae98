import { readFileSync } from 'node:fs'
import {
  CODE_EDGE,
  codePath,
  codeSideMm,
  type FieldPackage,
  LABEL_SHEETS,
  type LabelsQuery,
  labelAddress,
  labelCorner,
  labelPlace,
  labelsBefore,
} from '@ensaio/domain'
import { create } from 'qrcode'
import type { Typesetting } from '../../jobs/typeset.ts'

const TEMPLATE = readFileSync(new URL('./labels.typ', import.meta.url), 'utf8')

/** The labels of a trial's plots, as the page of the field prints them. */
export function labelFile(
  pack: Pick<FieldPackage, 'nome' | 'parcelas'>,
  { papel, inicio, marcas, tratamento }: LabelsQuery,
  siteUrl: string,
): Typesetting {
  const sheet = LABEL_SHEETS[papel]
  const each = sheet.across * sheet.down
  const before = labelsBefore(sheet, inicio)
  const labels = pack.parcelas.map((plot, n) => {
    const endereco = labelAddress(siteUrl, plot.codigo)
    return {
      pagina: Math.floor((before + n) / each),
      ...labelCorner(sheet, (before + n) % each),
      ...codeOf(endereco),
      ...{ endereco, numero: String(plot.numero), lugar: labelPlace(plot, tratamento === '1') },
    }
  })
  const pages = Array.from({ length: Math.ceil((before + labels.length) / each) }, (_, page) =>
    labels.filter(({ pagina }) => pagina === page),
  )
  return {
    template: TEMPLATE,
    data: {
      titulo: `Etiquetas · ${pack.nome}`,
      ...{ ensaio: pack.nome, marcas: marcas === '1', paginas: pages },
      papel: {
        ...{ largura: sheet.page[0], altura: sheet.page[1] },
        etiqueta: { largura: sheet.width, altura: sheet.height },
      },
    },
  }
}

/** A code as a drawing, and its side in millimetres with the quiet edge. */
function codeOf(text: string): { codigo: string; lado: number } {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules
  const rows = Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => Boolean(data[y * size + x])),
  )
  const whole = size + 2 * CODE_EDGE
  return {
    codigo: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-CODE_EDGE} ${-CODE_EDGE} ${whole} ${whole}"><path d="${codePath(rows)}"/></svg>`,
    lado: codeSideMm(whole),
  }
}
