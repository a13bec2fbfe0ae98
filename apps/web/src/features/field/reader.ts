import { prepareZXingModule, BarcodeDetector as Reader } from 'barcode-detector/ponyfill'
// Our own file: its usual address is a public network, forbidden by the policy and dead without a signal.
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'

const KEPT = 'ensaio-campo-leitor'

/** For phones whose browser reads no codes by itself: comes with the first scan and is then kept. */
export async function loadReader(formats: ('qr_code' | 'data_matrix' | 'code_128')[]): Promise<Reader> {
  const cache = await caches.open(KEPT)
  if (!(await cache.match(wasm))) await cache.add(wasm)
  const kept = await cache.match(wasm)
  await prepareZXingModule({
    overrides: kept ? { wasmBinary: await kept.arrayBuffer() } : { locateFile: () => wasm },
    fireImmediately: true,
  })
  return new Reader({ formats })
}
