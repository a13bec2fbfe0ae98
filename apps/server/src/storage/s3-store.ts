import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { type DocumentStore, MissingDocument, StoreUnavailable } from './document-store.ts'

const PREFIX = 'documentos/'
/** A store that does not answer is away; nobody waits for it longer. */
const PATIENCE = { connectionTimeout: 5_000, requestTimeout: 30_000 }
/** How the known servers say that there is no room. */
const FULL = /^(XMinioStorageFull|InsufficientStorage|QuotaExceeded\w*|InsufficientCapacity)$/

/**
 * An S3-compatible store: `s3://KEY:SECRET@HOST[:PORT]/BUCKET[?region=REGION&tls=off]`, or `s3://BUCKET` for
 * AWS with the credentials of the environment.
 */
export function s3Store(address: string): DocumentStore {
  const { client, bucket } = connect(address)
  const objectOf = (name: string) => ({ Bucket: bucket, Key: `${PREFIX}${name}` })
  return {
    async put(name, bytes) {
      await client
        .send(
          new PutObjectCommand({
            ...objectOf(name),
            Body: bytes,
            ContentType: name.endsWith('.jpg') ? 'image/jpeg' : 'application/pdf',
          }),
        )
        .catch(unavailable)
    },
    async read(name, range) {
      const { Body: body } = await client
        .send(
          new GetObjectCommand({
            ...objectOf(name),
            ...(range && { Range: `bytes=${range.start}-${range.end}` }),
          }),
        )
        .catch((cause: unknown) => {
          if (cause instanceof NoSuchKey) throw new MissingDocument(name, { cause })
          return unavailable(cause)
        })
      if (!(body instanceof Readable)) throw new Error('the store answered without a body')
      return body
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand(objectOf(name))).catch(unavailable)
    },
    async *entries() {
      let ContinuationToken: string | undefined
      do {
        const page = await client
          .send(
            new ListObjectsV2Command({
              Bucket: bucket,
              Prefix: PREFIX,
              ...(ContinuationToken !== undefined && { ContinuationToken }),
            }),
          )
          .catch(unavailable)
        for (const { Key: key, LastModified: modifiedAt } of page.Contents ?? []) {
          if (key && modifiedAt) yield { name: key.slice(PREFIX.length), modifiedAt }
        }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
    },
  }
}

/** Whatever keeps an S3 server from doing what it was asked: it is not there, or refuses. */
function unavailable(cause: unknown): never {
  const name = cause instanceof Error ? cause.name : ''
  throw new StoreUnavailable(FULL.test(name), { cause })
}

function connect(address: string): { client: S3Client; bucket: string } {
  const url = new URL(address)
  const region = url.searchParams.get('region') ?? 'us-east-1'
  const bucket = url.pathname.replace(/^\/+|\/+$/g, '')
  if (bucket === '')
    return { client: new S3Client({ region, requestHandler: PATIENCE }), bucket: url.hostname }
  const scheme = url.searchParams.get('tls') === 'off' ? 'http' : 'https'
  const client = new S3Client({
    region,
    requestHandler: PATIENCE,
    endpoint: `${scheme}://${url.host}`,
    forcePathStyle: true,
    // Servers other than AWS's often know no trailing checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(url.username !== '' && {
      credentials: {
        accessKeyId: decodeURIComponent(url.username),
        secretAccessKey: decodeURIComponent(url.password),
      },
    }),
  })
  return { client, bucket }
}
