import { documentHtml, headerItems, resultTable, tableHtml } from '../pieces.ts'
import { makeWorld } from '../world.ts'
import { type Family, footer, list, title } from './report.ts'
import { memo, prose } from './running.ts'
import { keyValue } from './sheets.ts'
import { merged, transposed } from './tables.ts'

export const scan: Family = (random) => {
  const report = random.pick([keyValue, keyValue, merged, transposed, prose, memo])(random)
  return { ...report, scan: 'plain' }
}

export const badLayer: Family = (random) => ({ ...keyValue(random), scan: 'badLayer' })

export const pasted: Family = (random) => {
  const world = makeWorld(random, random.int(2, 5))
  const head = list(headerItems(world, random), random)
  const table = tableHtml(resultTable(world, random))
  const photo = documentHtml(random, table, '', 'size:A4;margin:6mm')
  return {
    html: documentHtml(
      random,
      `${title(random, world)}${head.html}<br><img src="PHOTO" style="width:170mm">${footer(world, random)}`,
      head.style,
    ),
    photo,
    truth: world.truth,
  }
}
