import piexif from 'piexifjs'
import type { StoredPhoto } from './photos.repository.ts'

/** '2026-03-12 09:30:00'. */
const LOCAL = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
})

type Told = Pick<StoredPhoto, 'numero' | 'quando' | 'posicao' | 'descricao'>

/** A JPEG of ours with what is known of it: plot and note, the time of Brasília and in UTC, and the place with its accuracy. */
export function withExif(jpeg: Buffer, { numero, quando, posicao, descricao }: Told): Buffer {
  const { ImageIFD, ExifIFD, GPSIFD } = piexif
  const words = [numero === null ? null : `Parcela ${numero}`, descricao].filter((word) => word !== null)
  const utc = quando.toISOString()
  const exif = {
    '0th': { [ImageIFD.ImageDescription]: plain(words.join(' - ')), [ImageIFD.Software]: 'Ensaio' },
    Exif: {
      [ExifIFD.DateTimeOriginal]: LOCAL.format(quando).replaceAll('-', ':'),
    },
    GPS: {
      [GPSIFD.GPSDateStamp]: utc.slice(0, 10).replaceAll('-', ':'),
      [GPSIFD.GPSTimeStamp]: [11, 14, 17].map((at) => [Number(utc.slice(at, at + 2)), 1]),
      ...(posicao && {
        [GPSIFD.GPSLatitudeRef]: posicao.lat < 0 ? 'S' : 'N',
        [GPSIFD.GPSLatitude]: piexif.GPSHelper.degToDmsRational(Math.abs(posicao.lat)),
        [GPSIFD.GPSLongitudeRef]: posicao.lng < 0 ? 'W' : 'E',
        [GPSIFD.GPSLongitude]: piexif.GPSHelper.degToDmsRational(Math.abs(posicao.lng)),
        ...(posicao.precisao_m !== null && {
          [GPSIFD.GPSHPositioningError]: [Math.round(posicao.precisao_m * 10), 10],
        }),
      }),
    },
  }
  return Buffer.from(piexif.insert(piexif.dump(exif), jpeg.toString('latin1')), 'latin1')
}

/** EXIF's texts are ASCII. */
const plain = (text: string): string => text.normalize('NFD').replace(/[^\x20-\x7e]/g, '')
