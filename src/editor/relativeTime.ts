const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * How long ago a time was, for a person: `12 s ago`, `3 min ago`, `5 h ago`, `2 days ago`.
 *
 * @param time RFC 3339
 * @param nowMs milliseconds since the epoch
 * @returns undefined where `time` cannot be read; `just now` for the last second and for clocks that differ
 */
export function printAge(time: string | undefined, nowMs: number): string | undefined {
  const thenMs = time === undefined ? Number.NaN : Date.parse(time);
  if (Number.isNaN(thenMs)) return undefined;
  const ageMs = nowMs - thenMs;
  if (ageMs < secondMs) return 'just now';
  if (ageMs < minuteMs) return `${Math.floor(ageMs / secondMs)} s ago`;
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min ago`;
  if (ageMs < dayMs) return `${Math.floor(ageMs / hourMs)} h ago`;
  const days = Math.floor(ageMs / dayMs);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/** `12:03`, in the user's time zone; with the date where it is not today's. */
export function printClock(timeMs: number, nowMs: number): string {
  const time = new Date(timeMs);
  const clock = `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
  const isToday = time.toDateString() === new Date(nowMs).toDateString();
  return isToday
    ? clock
    : `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())} ${clock}`;
}

/** How long until the words of {@link printAge} may change for a time of this age, in ms. */
export function ageStepMs(time: string | undefined, nowMs: number): number {
  const ageMs = time === undefined ? Number.NaN : nowMs - Date.parse(time);
  if (Number.isNaN(ageMs) || ageMs >= hourMs) return hourMs;
  return ageMs >= minuteMs ? minuteMs : 5 * secondMs;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
