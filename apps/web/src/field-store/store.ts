import { formatDate } from '@ensaio/domain'
import type { FieldAuth, FieldPerson, SignedIn } from '../api/field-auth.ts'
import { askField, type FieldAnswer } from '../api/field-client.ts'
import { sessionBesidePages, sessionToken } from '../api/field-session.ts'
import { noteInField, STORAGE_KEY, sessionOfThePages } from '../api/kept-session.ts'
import { startClock } from './clock.ts'
import { copiedEntries } from './copies.ts'
import {
  type Database,
  isFull,
  type OwnEntry,
  type Owned,
  type OwnPhoto,
  openDatabase,
  type StoredPackage,
} from './database.ts'
import { CHANNEL, countUnsent, type Draft, entriesOf, photosHere, record, SKEW } from './entries.ts'
import { type Contested, contestedOf, dropPackage, loadTrial, packagesOf } from './packages.ts'
import {
  currentPerson,
  hasLeft,
  isRevoked,
  join,
  keyFor,
  leave,
  noteContact,
  noteLeft,
  othersWaiting,
  seal,
  sessionStorageOf,
  welcome,
} from './people.ts'
import { type PhotoPause, wantsWifi } from './photos.ts'
import { sendWaiting } from './sender.ts'
import { type TakeOutcome, take } from './taking.ts'
import type { Trial } from './trial.ts'
import { askForSync, startWorker } from './worker.ts'

export interface FieldState {
  phase: 'opening' | 'ready' | 'broken'
  person: FieldPerson | null
  /** Who is signed in on the pages of this browser, where nobody is in the field. */
  onPages: string | null
  /** The session has ended; entry goes on. */
  signedOut: boolean
  online: boolean
  waiting: number
  sending: { at: number; of: number } | null
  revoked: boolean
  full: boolean
  skewMs: number | null
  packages: readonly StoredPackage[]
  others: readonly { email: string; waiting: number }[]
  /** Pictures of the person that are here still: they wait, or were refused. */
  photos: readonly OwnPhoto[]
  /** Where none is open: trials of this phone with conflicts. */
  contested: readonly Contested[]
  /** The trial that is open. */
  trial: Trial | null
  /** Counts what changed in it. */
  turn: number
  /** A newer application waits; takes it. */
  update: (() => void) | null
}

const COMING = 'ensaio-campo-entrada'
/** For so long it is waited for, before a password is asked for instead. */
const COMING_MS = 8_000

/** What the phone holds and does; the screens look at its state and call it. */
export function createFieldStore() {
  let state: FieldState = {
    ...{
      phase: 'opening',
      person: null,
      onPages: null,
      signedOut: false,
      online: navigator.onLine,
      waiting: 0,
    },
    ...{ sending: null, revoked: false, full: false, skewMs: null, packages: [], others: [] },
    photos: [],
    ...{ contested: [], trial: null, turn: 0, update: null },
  }
  const listeners = new Set<() => void>()
  const set = (change: Partial<FieldState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  let database: Database | null = null
  let loading: Promise<FieldAuth> | null = null
  const needed = (): { database: Database } => {
    if (!database) throw new Error('The store is not open')
    return { database }
  }
  /** The client of `auth/v1` is large, and is needed by who signs in or out. */
  const auth = (): Promise<FieldAuth> => {
    loading ??= import('../api/field-auth.ts').then(({ createFieldAuth }) =>
      createFieldAuth(sessionStorageOf(needed().database)),
    )
    loading.catch(() => {
      loading = null
    })
    return loading
  }
  const token = async (renew: boolean) => {
    const guest = state.person?.guest
    return guest ? `enc_${guest.key}` : sessionToken(sessionStorageOf(needed().database), renew)
  }
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANNEL) : null
  /** Other tabs look again. */
  const told = () => channel?.postMessage('mudou')

  /** @param trial whether the open one is read again: thousands of cells, while somebody may be typing */
  const refresh = async ({ trial = true } = {}) => {
    const { database: at } = needed()
    const person = await currentPerson(at)
    const [waiting, photos, packages, others, revoked, skew] = await Promise.all([
      person ? countUnsent(at, person.id) : 0,
      person ? photosHere(at, person.id) : [],
      person ? packagesOf(at, person.id) : [],
      othersWaiting(at, person?.id ?? null),
      person ? isRevoked(at, person.id) : false,
      at.get('chaves', SKEW),
    ])
    const onPages = person ? null : (sessionOfThePages()?.email ?? null)
    const skewMs = typeof skew === 'number' ? skew : null
    set({ phase: 'ready', person, onPages, waiting, photos, packages, others, revoked, skewMs })
    if (!trial) return
    if (state.trial && person) await openAgain(state.trial)
    else await countContested()
  }
  const countContested = async () => {
    const { person } = state
    set({ contested: person ? await contestedOf(needed().database, person.id) : [] })
  }
  const openAgain = async (owned: Owned) => {
    const trial = await loadTrial(needed().database, owned, state.person?.name ?? 'Você')
    if (state.trial === null || state.trial.experimento === owned.experimento)
      set({ trial, turn: state.turn + 1 })
  }

  const photoPause: PhotoPause = { until: 0, failures: 0 }
  let photosLater: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | null = null
  let again = false
  const send = (): Promise<void> => {
    // What came while others' work was being heard of is not left for the next time.
    if (running) again = true
    running ??= sendNow().finally(() => {
      running = null
      if (!again) return
      again = false
      void send()
    })
    return running
  }
  const sendNow = async () => {
    const { person, revoked, trial } = state
    if (!database || !person || revoked) return
    const stale: Owned[] = []
    let news = false
    const round = await sendWaiting(
      {
        ...{ database, person: person.id },
        photos: {
          pause: photoPause,
          wifiOnly: () => wantsWifi(needed().database),
          changed: () => refresh({ trial: false }),
        },
        token,
        progress: (at, of) => set({ sending: { at, of } }),
        settled: (entries) => {
          state.trial?.settle(entries)
          news ||= entries.some(({ estado }) => estado !== 'aplicado' && estado !== 'igual')
        },
        news: () => {
          news = true
        },
        stale: (owned) => stale.push(owned),
      },
      trial ?? 'all',
    ).catch(() => ({ kind: 'unreached' as const }))
    // Nobody signs in again by an invitation.
    const over = round.kind === 'revoked' || (round.kind === 'signed-out' && person.guest !== undefined)
    const failed = round.kind === 'unreached' || round.kind === 'later'
    clock.after({ failed, ...(round.kind === 'later' && { afterS: round.afterS }) })
    set({
      ...{ sending: null, online: round.kind === 'unreached' ? false : navigator.onLine },
      ...(round.kind === 'signed-out' && !over && { signedOut: true }),
      ...(round.kind === 'done' && { signedOut: false }),
    })
    clearTimeout(photosLater)
    const pauseMs = photoPause.until - performance.now()
    if (pauseMs > 0) photosLater = setTimeout(() => void send(), pauseMs + 50)
    if (over) await seal(database, person.id)
    if (round.kind === 'done') await noteContact(database, person.id)
    if (failed) void askForSync()
    for (const owned of stale) await takeNow(owned, () => undefined)
    await refresh({ trial: news || stale.length > 0 })
    told()
  }
  const takeNow = (owned: Owned, progress: (part: number) => void): Promise<TakeOutcome> =>
    take({ database: needed().database, owned, token, progress })

  const clock = startClock(() => void send())
  addEventListener('online', () => {
    photoPause.until = 0
    set({ online: true })
  })
  addEventListener('offline', () => set({ online: false }))
  channel?.addEventListener('message', () => {
    if (database) void refresh()
  })
  // Somebody came to the pages or left them.
  addEventListener('storage', ({ key }) => {
    if (database && key === STORAGE_KEY) void refresh({ trial: false })
  })
  const start = async () => {
    try {
      database = await openDatabase(() => set({ phase: 'broken' }))
      // An invitation is for who has no account here.
      const invited = /^\/campo\/convite/i.test(location.pathname)
      const alone = !invited && (await currentPerson(database)) === null && !(await hasLeft(database))
      if (alone && sessionOfThePages() !== null)
        await Promise.race([
          comeWithPages().catch(() => undefined),
          new Promise((resolve) => setTimeout(resolve, COMING_MS)),
        ])
      await refresh()
      startWorker({ send: () => void send(), updated: (update) => set({ update }) })
      void send()
    } catch {
      // Damaged, or of a newer application: nothing is made over it.
      set({ phase: 'broken' })
    }
  }
  const arrived = async (outcome: SignedIn): Promise<SignedIn> => {
    if (!('person' in outcome)) return outcome
    await welcome(needed().database, outcome.person)
    set({ signedOut: false, trial: null })
    await refresh()
    void send()
    return outcome
  }
  /** One tab after the other: a second one finds the first one's session. */
  const comeWithPages = async (): Promise<SignedIn> => {
    const come = async (): Promise<SignedIn> => {
      const pages = sessionOfThePages()
      const person = await currentPerson(needed().database)
      if (person) return { person }
      if (!pages) return { error: 'Entre com o seu email e a sua senha.' }
      noteInField(true)
      return arrived(await sessionBesidePages(sessionStorageOf(needed().database), pages.refreshToken))
    }
    return 'locks' in navigator ? navigator.locks.request(COMING, come) : come()
  }
  void start()

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    state: () => state,

    signIn: async (email: string, password: string) => arrived(await (await auth()).signIn(email, password)),
    comeWithPages,
    confirm: async (code: string) => arrived(await (await auth()).confirm(code)),
    /** Takes a field invitation; the sentence of why not. */
    async join(codigo: string, nome: string): Promise<{ experimento: string } | { error: string }> {
      const chave = await keyFor(needed().database, codigo)
      const answer = await askField(
        'redeemFieldInvitation',
        { body: { codigo, chave, nome } },
        { token: null, organization: null },
        (given) => typeof (given as { aparelho?: unknown } | null)?.aparelho === 'string',
      )
      if (answer.kind === 'none') return { error: 'Sem internet: o convite precisa dela uma vez.' }
      if (answer.kind === 'refused') return { error: answer.detail }
      const { id, aparelho, convidou, ate, ...given } = answer.body
      const guest = {
        key: chave,
        organizacao: given.organizacao,
        experimento: given.experimento,
        convidou,
        ate,
      }
      const email = `convite de ${convidou}, até ${formatDate(ate)}`
      await join(needed().database, { id: `convite ${id}`, name: given.nome, email, guest }, aparelho)
      set({ signedOut: false, trial: null })
      await refresh()
      told()
      return { experimento: given.experimento }
    },
    async signOut() {
      const { person } = state
      if (person) await leave(needed().database, person)
      await noteLeft(needed().database)
      if (!person?.guest) await (await auth()).signOut()
      set({ trial: null, signedOut: false })
      await refresh()
      told()
    },

    /** One of the person's packages becomes the one that is worked on. */
    async open(owned: Owned | null) {
      if (!owned) {
        if (state.trial === null) return
        set({ trial: null })
        return countContested()
      }
      if (state.trial?.experimento === owned.experimento) return
      set({ trial: null, contested: [] })
      await openAgain(owned)
      // What others did in it is asked for, also behind a round that began without it.
      await running
      void send()
    },

    /** Kept when it answers; what the store throws, where even the reserve does not help. */
    async record(drafts: readonly Draft[]): Promise<OwnEntry[]> {
      const { trial } = state
      if (!trial) throw new Error('No trial is open')
      try {
        const made = await record(needed().database, trial, { pacote: trial.pack.versao, drafts })
        for (const entry of made) trial.add(entry)
        // Just before what called this goes on: the next plot and the queue's count are one drawing.
        queueMicrotask(() => set({ waiting: state.waiting + made.length, turn: state.turn + 1, full: false }))
        const { person } = state
        if (person && drafts.some(({ tipo }) => tipo === 'foto'))
          set({ photos: await photosHere(needed().database, person.id) })
        clock.soon()
        told()
        return made
      } catch (error) {
        // Without room for a picture there may be enough for values.
        if (isFull(error) && !drafts.some(({ foto }) => foto)) set({ full: true })
        throw error
      }
    },

    /** At once, whatever went before. */
    send() {
      photoPause.until = 0
      return send()
    },
    async take(owned: Owned, progress: (part: number) => void): Promise<TakeOutcome> {
      await navigator.storage?.persist?.().catch(() => false)
      const outcome = await takeNow(owned, progress)
      if (outcome.kind === 'revoked' && state.person) await seal(needed().database, state.person.id)
      if (outcome.kind === 'signed-out' && !state.person?.guest) set({ signedOut: true })
      await refresh()
      told()
      return outcome
    },
    /** What was not sent of a trial, once a copy of it has been saved. */
    async discard(owned: Owned) {
      const gone = (await entriesOf(needed().database, owned)).filter(({ espera }) => espera === 1)
      const transaction = needed().database.transaction(['registros', 'fotos'], 'readwrite')
      for (const { id } of gone) void transaction.objectStore('registros').delete(id)
      for (const { id, experimento } of state.photos)
        if (experimento === owned.experimento) void transaction.objectStore('fotos').delete(id)
      await transaction.done
    },
    /** Pictures that were refused go out once more. */
    async retryPhotos(photos: readonly OwnPhoto[]) {
      for (const photo of photos) await needed().database.put('fotos', { ...photo, espera: 1, razao: null })
      photoPause.until = 0
      await refresh({ trial: false })
      void send()
    },
    /** That it was here stays known; its bytes go. */
    async dropPhoto(photo: OwnPhoto) {
      await needed().database.put('fotos', { ...photo, espera: 2, blob: new Blob() })
      await refresh({ trial: false })
    },
    async drop(owned: Owned) {
      await dropPackage(needed().database, owned)
      set({ trial: null })
      await refresh()
      told()
    },

    /** Asks the server in the person's name. */
    async ask<T>(
      how: (token: string) => Promise<FieldAnswer<T>>,
    ): Promise<FieldAnswer<T> | { kind: 'signed-out' }> {
      for (const renew of [false, true]) {
        const held = await token(renew)
        if (held === undefined) return { kind: 'none' }
        if (held === null) break
        const answer = await how(held)
        if (answer.kind !== 'refused' || answer.status !== 401) return answer
      }
      // Nobody signs in again by an invitation.
      if (!state.person?.guest) set({ signedOut: true })
      return { kind: 'signed-out' }
    },

    /** Small things that outlive the page: place, settings, what is half typed. */
    async get(key: string): Promise<unknown> {
      return needed().database.get('chaves', key)
    },
    async put(key: string, value: unknown): Promise<void> {
      await needed().database.put('chaves', value, key)
    },
    /** Of what another tab may change, too: made of what stands. */
    async change(key: string, of: (held: unknown) => unknown): Promise<void> {
      const transaction = needed().database.transaction('chaves', 'readwrite')
      void transaction.store.put(of(await transaction.store.get(key)), key)
      await transaction.done
    },

    /** Every entry of the person that this phone still has, or what the second store has where the first is lost. */
    async entries(): Promise<OwnEntry[]> {
      if (!database) return copiedEntries()
      const me = state.person
      return (await database.getAll('registros'))
        .filter(({ pessoa }) => pessoa === me?.id)
        .sort((a, b) => a.seq - b.seq)
        .map((entry) => (me?.name ? { ...entry, de: me.name } : entry))
    },
    /** Entries of a copy: those that are here already stay as they are. */
    async bring(given: readonly OwnEntry[], pictures: ReadonlyMap<string, Blob>): Promise<number> {
      const me = state.person?.id
      if (!me) return 0
      const transaction = needed().database.transaction(['registros', 'fotos'], 'readwrite', {
        durability: 'strict',
      })
      let added = 0
      for (const entry of given) {
        const { id, seq, organizacao, experimento, registro } = entry
        const blob = pictures.get(id)
        if (blob && registro.arquivo && !(await transaction.objectStore('fotos').get(id)))
          await transaction.objectStore('fotos').add({
            ...{ id, seq, organizacao, experimento, pessoa: me, espera: 1, razao: null, blob },
            ...{
              sha256: registro.arquivo.sha256,
              parcela: registro.rotulos.parcela,
              quando: registro.quando,
            },
          })
        if (await transaction.objectStore('registros').get(id)) continue
        // Brought by somebody else, it stays its collector's.
        const nome = registro.nome ?? (entry.pessoa === me ? null : (entry.de ?? null))
        await transaction.objectStore('registros').add({
          ...entry,
          registro: { ...registro, nome },
          pessoa: me,
          espera: 1,
          estado: 'espera',
          razao: null,
          decidido: false,
          envio: 0,
        })
        added += 1
      }
      await transaction.done
      await refresh()
      void send()
      return added
    },
    /** A refused one is sent once more. */
    async retry(entry: OwnEntry) {
      const again = { ...entry, espera: 1, estado: 'espera', razao: null, decidido: false } as const
      await needed().database.put('registros', again)
      await refresh()
      void send()
    },
  }
}
