// Makes reports with their right answers: generate.ts OUT [--split dev] [--count 10] [--families a,b] [--makers N]
// With --makers: N houses with `count` reports each, in OUT/makers.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { toPng } from '../src/ocr/raster.ts'
import { composedReport } from './families/composed.ts'
import { houseOf } from './families/house.ts'
import { FAMILIES } from './families.ts'
import { findOffice, type OfficeKind, printByOffice } from './office.ts'
import { cropWhite, picturePdf, pictures, wear } from './picture.ts'
import { seeded } from './random.ts'
import { startPrinter } from './render.ts'

/** Where the seeds of each split begin; the test split is never looked at while the engine is worked on. */
export const SPLITS = { dev: 1_000, calibration: 30_000, test: 40_000, second: 60_000 } as const

const BAD_LAYER = [
  'Re1at0rio d3 en5aio',
  'Cu1tura: M1lh0 ##',
  'M@rca: D1micr0n',
  'Pr0dut1vidade 9.999 kg/ha',
  'Cidade: S~o P@ulo lIlI',
  '|| ~~ ^^ _ ]] {}',
]

const OFFICE_FAMILIES = ['writer', 'calc']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: 'string', default: 'dev' },
    count: { type: 'string', default: '10' },
    families: { type: 'string' },
    makers: { type: 'string' },
  },
})
const out = positionals[0] ?? 'reports'
const split = values.split in SPLITS ? (values.split as keyof typeof SPLITS) : 'dev'
const makers = Number(values.makers ?? 0)
const wanted = values.families?.split(',') ?? (makers > 0 ? [] : Object.keys(FAMILIES))
const soffice = findOffice()
if (!soffice && wanted.some((name) => OFFICE_FAMILIES.includes(name)))
  console.log(
    `LibreOffice is not installed: ${OFFICE_FAMILIES.join(' and ')} are left out (apt install libreoffice-writer-nogui libreoffice-calc-nogui)`,
  )
const printer = await startPrinter()
try {
  for (let m = 0; m < makers; m++) {
    const folder = join(out, 'makers', String(m))
    mkdirSync(folder, { recursive: true })
    for (let n = 0; n < Number(values.count); n++) {
      const seed = SPLITS[split] + 17 * m
      const { html, truth } = composedReport(houseOf(seed), seeded(seed * 101 + n))
      writeFileSync(join(folder, `${n}.pdf`), await printer.print(html))
      writeFileSync(join(folder, `${n}.json`), JSON.stringify(truth, null, 1))
    }
  }
  for (const name of wanted) {
    const family = FAMILIES[name]
    if (!family) throw new Error(`no family ${name}`)
    if (!soffice && OFFICE_FAMILIES.includes(name)) continue
    const folder = join(out, split, name)
    mkdirSync(folder, { recursive: true })
    const office: { file: string; source: string; kind: OfficeKind }[] = []
    const offset = Object.keys(FAMILIES).indexOf(name) * 131
    for (let n = 0; n < Number(values.count); n++) {
      const random = seeded(SPLITS[split] + offset + n * 7)
      const report = family(random)
      let html = report.html
      if (report.office) {
        office.push({ file: join(folder, `${n}.pdf`), source: html, kind: report.office })
        writeFileSync(join(folder, `${n}.json`), JSON.stringify(report.truth, null, 1))
        continue
      }
      if (report.photo) {
        const [picture] = await pictures(await printer.print(report.photo), random.pick([150, 200]))
        if (picture)
          html = html.replace(
            'PHOTO',
            `data:image/png;base64,${toPng(cropWhite(picture)).toString('base64')}`,
          )
      }
      let pdf = await printer.print(html)
      if (report.turned)
        pdf = Buffer.from(
          pdf.toString('latin1').replaceAll('/Type /Page\n', '/Type /Page\n/Rotate 90\n'),
          'latin1',
        )
      if (report.scan) {
        const drawn = (await pictures(pdf, random.pick([150, 200, 200]))).map((page) => wear(page, random))
        pdf = picturePdf(drawn, report.scan === 'badLayer' ? BAD_LAYER : [])
      }
      writeFileSync(join(folder, `${n}.pdf`), pdf)
      writeFileSync(join(folder, `${n}.json`), JSON.stringify(report.truth, null, 1))
    }
    const [first] = office
    if (first && soffice)
      printByOffice(
        soffice,
        first.kind,
        office.map(({ source }) => source),
      ).forEach((pdf, i) => {
        writeFileSync(office[i]?.file ?? '', pdf)
      })
  }
} finally {
  printer.close()
}
