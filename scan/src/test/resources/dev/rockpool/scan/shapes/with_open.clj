(ns dev.rockpool.scan.shapes.with-open
  (:import [java.lang.foreign Arena MemorySegment]))

(defn tail [^long n]
  ; -> confined: closed on all paths; bytes unknown
  (with-open [arena (Arena/ofConfined)]
    (.address (.allocate arena n))))

(defn not-tail [^long n]
  (let [address
        ; -> confined: left to its holder; passed; bytes unknown
        (with-open [arena (Arena/ofConfined)]
          (.address (.allocate arena n)))]
    (+ address 1)))

(defn two []
  ; -> confined: closed on all paths; 8 bytes
  ; -> shared: closed on all paths; nested; 9 bytes
  (with-open [a (Arena/ofConfined) b (Arena/ofShared)]
    (+ (.byteSize (.allocate a 8)) (.byteSize (.allocate b 9)))))

(defn captured []
  ; -> confined: closing unknown; passed; bytes unknown
  (let [arena (Arena/ofConfined)]
    (fn [] arena)))

(defn never []
  ; -> confined: never closed in sight; 8 bytes
  (.allocate (Arena/ofConfined) 8))

(deftype Owner [^Arena arena]
  java.lang.AutoCloseable
  (close [_] (.close arena)))

(defn owner []
  ; -> shared: left to its holder; passed; bytes unknown
  (Owner. (Arena/ofShared)))
