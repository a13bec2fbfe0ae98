import {
  clockDifference,
  entries as counted,
  formatBytes,
  formatDateTime,
  formatNumber,
  takesBack,
} from '@ensaio/domain'
import { type ChangeEvent, useEffect, useId, useState } from 'react'
import { entrySaid, STATES } from '../../field-store/copy-file.ts'
import { pictureName, readCopyFile } from '../../field-store/copy-zip.ts'
import type { OwnEntry, OwnPhoto } from '../../field-store/database.ts'
import { downloadBlob } from '../../ui/download.ts'
import { fieldPath } from './address.tsx'
import { field, useFieldState } from './field.ts'
import { OthersWaiting } from './OthersWaiting.tsx'
import { Picture, photoState } from './PhotoList.tsx'
import { PinSetting } from './Pin.tsx'
import { Choice, Notice, Page, Tick, Touch, touchClasses } from './parts.tsx'
import { ClockLine, QueueLine } from './QueueLine.tsx'
import { SignInForm } from './SignIn.tsx'
import { saveCopy } from './save-copy.ts'
import { changeSettings, useSettings } from './settings.ts'

const SHOWN = 200
const NOT_KEPT = 'O aparelho não conseguiu guardar isto. Libere espaço e tente de novo.'

/** What this phone holds: the queue, copies, storage, the clock, settings. */
export function Device() {
  const { waiting, turn, sending, signedOut, photos } = useFieldState()
  const here = new Map(photos.map((photo) => [photo.id, photo]))
  const [entries, setEntries] = useState<OwnEntry[]>([])
  const [note, setNote] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with everything that was kept or sent
  useEffect(() => {
    void field.entries().then(setEntries)
  }, [waiting, turn, sending])
  const bring = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    event.target.value = ''
    const given = file ? await readCopyFile(file).catch(() => null) : null
    if (!given) return setNote('Este arquivo não é uma cópia do Ensaio Campo.')
    try {
      const added = await field.bring(given.entries, given.pictures)
      setNote(`${counted(added)} desta cópia ${added === 1 ? 'entrou' : 'entraram'} na fila.`)
    } catch {
      setNote('A cópia NÃO foi importada: o aparelho não conseguiu guardá-la.')
    }
  }
  const fileId = useId()
  const [most, setMost] = useState(SHOWN)
  const undone = new Set(entries.flatMap(({ desfaz }) => desfaz ?? []))
  const shown = entries.slice(-most).reverse()
  return (
    <Page title="Este aparelho" back={{ to: fieldPath, label: 'Campo' }} status={<QueueLine />}>
      <ClockLine />
      <OthersWaiting />
      {signedOut && <SignInForm />}
      <div className="flex flex-wrap gap-2">
        <Touch variant="primary" busy={sending !== null} onClick={() => void field.send()}>
          Sincronizar agora
        </Touch>
        <Touch
          onClick={() =>
            void saveCopy(
              entries,
              photos.filter(({ espera }) => espera !== 2),
            )
          }
        >
          Salvar cópia
        </Touch>
        <label htmlFor={fileId} className={touchClasses()}>
          Importar cópia
        </label>
        <input
          id={fileId}
          type="file"
          accept=".csv,.zip,text/csv,text/plain,application/zip"
          className="sr-only"
          onChange={(event) => void bring(event)}
        />
      </div>
      {note && <Notice tone="info">{note}</Notice>}
      <section aria-labelledby="fila" className="flex flex-col gap-2">
        <h2 id="fila" className="text-title font-semibold">
          Registros
        </h2>
        {entries.length > shown.length && (
          <p className="text-small text-muted">
            Os {formatNumber(shown.length, 0)} últimos de {formatNumber(entries.length, 0)}.
          </p>
        )}
        {entries.length === 0 && <p className="text-muted">Nenhum registro foi feito aqui.</p>}
        <ul className="flex flex-col gap-2">
          {shown.map((entry) => (
            <li
              key={entry.id}
              className="flex flex-wrap items-center gap-2 rounded-md border border-line bg-surface px-3 py-2"
            >
              <div className="figures min-w-0 flex-1">
                <p>
                  Parcela {entry.registro.rotulos.parcela} ·{' '}
                  {entry.registro.tipo !== 'foto'
                    ? entrySaid(entry.registro)
                    : takesBack(entry.registro) || undone.has(entry.id)
                      ? 'foto desfeita'
                      : `foto ${photoState(here.get(entry.id))}`}
                </p>
                <p className="text-small text-muted">
                  {formatDateTime(entry.registro.quando)}
                  {/* Of a picture that is here still the line above says it. */}
                  {!here.has(entry.id) && ` · ${entry.decidido ? entry.razao : STATES[entry.estado]}`}
                  {entry.razao && !entry.decidido && entry.estado !== 'guardado' ? ` · ${entry.razao}` : ''}
                </p>
              </div>
              {entry.estado === 'recusado' && (
                <Touch onClick={() => void field.retry(entry).catch(() => setNote(NOT_KEPT))}>
                  Tentar de novo
                </Touch>
              )}
            </li>
          ))}
        </ul>
        {entries.length > shown.length && (
          <Touch className="self-start" onClick={() => setMost(most + SHOWN)}>
            Mostrar mais
          </Touch>
        )}
      </section>
      <Refused photos={photos.filter(({ espera }) => espera === 0)} />
      <Storage />
      <SettingsForm />
      <PinSetting />
      <Leave waiting={waiting + photos.filter(({ espera }) => espera === 0).length} />
    </Page>
  )
}

/** What the server does not take for good: sent again, saved on the phone, or given up, which is asked once. */
function Refused({ photos }: { photos: readonly OwnPhoto[] }) {
  const [leaving, setLeaving] = useState<string | null>(null)
  const [failed, setFailed] = useState(false)
  const attempt = (work: Promise<void>) => work.then(() => setFailed(false)).catch(() => setFailed(true))
  if (photos.length === 0) return null
  return (
    <section aria-labelledby="recusadas" className="flex flex-col gap-2">
      <h2 id="recusadas" className="text-title font-semibold">
        Fotos não enviadas
      </h2>
      {failed && <Notice tone="danger">{NOT_KEPT}</Notice>}
      {photos.length > 1 && (
        <Touch className="self-start" onClick={() => void attempt(field.retryPhotos(photos))}>
          Tentar todas de novo
        </Touch>
      )}
      <ul className="flex flex-col gap-2">
        {photos.map((photo) => (
          <li
            key={photo.id}
            className="flex flex-col gap-2 rounded-md border border-line bg-surface px-3 py-2"
          >
            <div className="flex items-center gap-3">
              <Picture blob={photo.blob} />
              <p className="figures">
                Parcela {photo.parcela} · {formatDateTime(photo.quando)}
                <span className="block text-small text-muted">{photo.razao}</span>
              </p>
            </div>
            {leaving === photo.id ? (
              <Notice tone="warn">
                <p>Esta foto só existe neste aparelho.</p>
                <div className="mt-2 flex flex-wrap gap-2">
                  <Touch onClick={() => setLeaving(null)}>Ficar com ela</Touch>
                  <Touch variant="danger" onClick={() => void attempt(field.dropPhoto(photo))}>
                    Descartar foto
                  </Touch>
                </div>
              </Notice>
            ) : (
              <div className="flex flex-wrap gap-2">
                <Touch onClick={() => void attempt(field.retryPhotos([photo]))}>Tentar de novo</Touch>
                <Touch onClick={() => downloadBlob(pictureName(photo), photo.blob)}>Salvar foto</Touch>
                <Touch onClick={() => setLeaving(photo.id)}>Descartar…</Touch>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Storage() {
  const { skewMs } = useFieldState()
  const [usage, setUsage] = useState<{ used: number; free: number } | null>(null)
  const [persisted, setPersisted] = useState<boolean | null>(null)
  useEffect(() => {
    void navigator.storage
      ?.estimate?.()
      .then(({ usage: used = 0, quota = 0 }) => setUsage({ used, free: Math.max(0, quota - used) }))
    void navigator.storage?.persisted?.().then(setPersisted)
  }, [])
  return (
    <section aria-labelledby="espaco" className="flex flex-col gap-1">
      <h2 id="espaco" className="text-title font-semibold">
        Armazenamento
      </h2>
      {usage && (
        <p className="figures">
          {formatBytes(usage.used)} usados · {formatBytes(usage.free)} livres
        </p>
      )}
      {persisted !== null && (
        <p>
          {persisted
            ? 'Armazenamento protegido'
            : 'O navegador pode apagar estes dados se faltar espaço. Instale o app e envie com frequência.'}
        </p>
      )}
      <p className="figures">{clockDifference(skewMs)}</p>
      <p className="text-small text-muted">Versão {versionOf(import.meta.url)}</p>
    </section>
  )
}

/** Of the built file: it has the hash of what is in it. */
const versionOf = (url: string): string => /-([\w-]+)\.js/.exec(url)?.[1] ?? 'de desenvolvimento'

function SettingsForm() {
  const settings = useSettings()
  return (
    <section aria-labelledby="ajustes" className="flex flex-col gap-1">
      <h2 id="ajustes" className="text-title font-semibold">
        Ajustes
      </h2>
      <Tick
        label="Sol: preto no branco, letras grandes"
        checked={settings.sol}
        onChange={(sol) => changeSettings({ sol })}
      />
      {settings.sol && <p className="text-small">Aumente o brilho da tela ao máximo.</p>}
      <Tick
        label="Mão esquerda"
        checked={settings.canhoto}
        onChange={(canhoto) => changeSettings({ canhoto })}
      />
      <Tick
        label="Teclado do aparelho"
        checked={settings.tecladoDoAparelho}
        onChange={(tecladoDoAparelho) => changeSettings({ tecladoDoAparelho })}
      />
      <Tick
        label="Falar o valor guardado"
        checked={settings.voz}
        onChange={(voz) => changeSettings({ voz })}
      />
      <Tick
        label="Registrar a posição, uma vez por parcela"
        checked={settings.posicao}
        onChange={(posicao) => changeSettings({ posicao })}
      />
      <Tick
        label="Foto grande"
        checked={settings.fotoGrande}
        onChange={(fotoGrande) => changeSettings({ fotoGrande })}
      />
      <Tick
        label="Enviar fotos só por Wi-Fi"
        checked={settings.fotosSoWifi}
        onChange={(fotosSoWifi) => changeSettings({ fotosSoWifi })}
      />
      <Choice
        label="Aparência"
        value={settings.tema}
        options={{ sistema: 'Como o aparelho', claro: 'Clara', escuro: 'Escura' }}
        onValue={(tema) => changeSettings({ tema })}
      />
    </section>
  )
}

function Leave({ waiting }: { waiting: number }) {
  const [asked, setAsked] = useState(false)
  const { person } = useFieldState()
  if (person?.guest && waiting > 0)
    return (
      <Notice tone="warn">
        {counted(waiting)} {waiting === 1 ? 'espera' : 'esperam'} neste aparelho. O convite vale uma vez:
        envie antes de sair.
      </Notice>
    )
  return (
    <section aria-labelledby="conta" className="flex flex-col gap-2">
      <h2 id="conta" className="text-title font-semibold">
        Conta
      </h2>
      {asked ? (
        <Notice tone="warn">
          <p>
            Os ensaios saem deste aparelho.{' '}
            {waiting > 0 &&
              `${counted(waiting)} ${waiting === 1 ? 'fica guardado' : 'ficam guardados'} até você entrar de novo aqui.`}
          </p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Touch onClick={() => setAsked(false)}>Ficar</Touch>
            <Touch variant="danger" onClick={() => void field.signOut()}>
              Sair e apagar deste aparelho
            </Touch>
          </div>
        </Notice>
      ) : (
        <Touch className="self-start" onClick={() => setAsked(true)}>
          Sair
        </Touch>
      )}
    </section>
  )
}
