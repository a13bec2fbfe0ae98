/** Hex SHA-256 of a file; null where the browser has no digest, as on plain HTTP from another machine. */
export async function sha256(file: Blob): Promise<string | null> {
  if (!('subtle' in crypto)) return null
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
