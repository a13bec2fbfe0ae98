import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { type DocumentStore, MissingDocument } from './document-store.ts'

const PREFIX = 'documentos/'

/**
 * An S3-compatible store: `s3://KEY:SECRET@HOST[:PORT]/BUCKET[?region=REGION&tls=off]`, or `s3://BUCKET` for
 * AWS with the credentials of the environment.
 */
export function s3Store(address: string): DocumentStore {
  const { client, bucket } = connect(address)
  const objectOf = (name: string) => ({ Bucket: bucket, Key: `${PREFIX}${name}` })
  return {
    async put(name, bytes) {
      await client.send(
        new PutObjectCommand({ ...objectOf(name), Body: bytes, ContentType: 'application/pdf' }),
      )
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
          throw cause instanceof NoSuchKey ? new MissingDocument(name, { cause }) : cause
        })
      if (!(body instanceof Readable)) throw new Error('the store answered without a body')
      return body
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand(objectOf(name)))
    },
    async *entries() {
      let ContinuationToken: string | undefined
      do {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: PREFIX,
            ...(ContinuationToken !== undefined && { ContinuationToken }),
          }),
        )
        for (const { Key: key, LastModified: modifiedAt } of page.Contents ?? []) {
          if (key && modifiedAt) yield { name: key.slice(PREFIX.length), modifiedAt }
        }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
    },
  }
}

function connect(address: string): { client: S3Client; bucket: string } {
  const url = new URL(address)
  const region = url.searchParams.get('region') ?? 'us-east-1'
  const bucket = url.pathname.replace(/^\/+|\/+$/g, '')
  if (bucket === '') return { client: new S3Client({ region }), bucket: url.hostname }
  const scheme = url.searchParams.get('tls') === 'off' ? 'http' : 'https'
  const client = new S3Client({
    region,
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
