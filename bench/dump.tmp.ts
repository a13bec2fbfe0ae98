import { readFileSync } from 'node:fs'
import { arrange } from '../packages/extraction/src/document.ts'
import { withDocument } from '../packages/extraction/src/read/pdfium.ts'
import { readPages } from '../packages/extraction/src/read/read.ts'
import { readDocument } from '../packages/extraction/src/reading/choose.ts'
import { hypotheses } from '../packages/extraction/src/tables/hypotheses.ts'
import { readTreatmentTable } from '../packages/extraction/src/treatments/table-rows.ts'
await withDocument(readFileSync(process.argv[2] ?? ''), async (library, document) => {
  const doc = arrange(readPages(library, document, {}))
  const show = (t: any, p: string) => { console.log(p, `x${t.x0.toFixed(0)}-${t.x1.toFixed(0)} y${t.y0.toFixed(0)}-${t.y1.toFixed(0)}`, t.ruled ? 'ruled' : 'stream', JSON.stringify(t.title)); for (const r of t.rows) console.log('   ', r.map((c: any, i: number) => c === null ? '·' : i > 0 && r[i - 1] === c ? '"' : c.text).join(' | ')); const tt = readTreatmentTable(t, 'table'); console.log('   =>', tt ? `${tt.drafts.length} drafts score ${tt.score.toFixed(2)} [${tt.columns.map((c) => c.role).join(',')}]` : 'null') }
  for (const page of doc.pages) for (const t of page.tables) { show(t, `p${page.page.index + 1}`); if (process.argv[3]) hypotheses(t, page.page.rulings).forEach((h, i) => h.forEach((x) => show(x, `  hyp${i}`))) }
  const r = readDocument(doc)
  console.log('score', r.score.toFixed(1), r.why.map((f) => `${f.name} ${f.value.toFixed(2)}`).join(', '))
  for (const d of r.drafts) console.log('  ', d.code, d.control ? 'C' : '', d.nome?.value, '|', d.modalidade?.value, '|', d.produtividade?.value, d.custo?.value, '|', d.produtos.map((p) => `${p.nome.value} ${p.dose?.value} ${p.unidade}`).join(' + '), '|', d.analises.map((a) => `${a.nome}=${a.valor.value}`).join('; '))
})
