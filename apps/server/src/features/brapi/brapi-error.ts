/** A refusal in the words of BrAPI: a status and one sentence. */
export class BrapiError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'BrapiError'
    this.status = status
  }
}
