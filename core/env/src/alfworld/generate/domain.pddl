;; A house: rooms joined by doorways, furniture in the rooms, things in and on the furniture.
;; A person is always at one spot: in the middle of a room or at a piece of furniture.

(define (domain house)
 (:requirements :adl :typing)

 (:types person room spot place make thing sort)

 (:predicates
    (at ?p - person ?s - spot)            ; where the person is
    (within ?s - spot ?r - room)          ; the room of a spot
    (middle ?s - spot ?r - room)          ; the spot that one enters a room at
    (doorway ?q - room ?r - room)         ; one walks from ?q to ?r
    (dark ?r - room)                      ; nobody has entered the room yet
    (stands ?f - place ?r - room)         ; the room of a piece of furniture
    (post ?f - place ?s - spot)           ; the spot from which it is reached
    (made ?f - place ?m - make)           ; what kind of furniture it is
    (surface ?f - place)                  ; what is on it is seen from its spot
    (lidded ?f - place)                   ; what is in it is seen and reached only while it is open
    (ajar ?f - place)                     ; it is open
    (unsearched ?f - place)               ; nobody has seen yet what it holds
    (washes ?f - place)
    (heats ?f - place)
    (chills ?f - place)
    (glows ?f - place)                    ; it can be switched on
    (lit ?f - place)
    (rests ?x - thing ?f - place)         ; the thing is in or on the furniture
    (sorted ?x - thing ?k - sort)         ; what kind of thing it is
    (washable ?x - thing)
    (heatable ?x - thing)
    (chillable ?x - thing)
    (clean ?x - thing)
    (hot ?x - thing)
    (cold ?x - thing)
    (held ?p - person ?x - thing)
    (laden ?p - person)                   ; the person holds something
    (attentive ?p - person)               ; the person stopped to think
 )

;; to the middle of the next room, where the light goes on
(:action walk
    :parameters (?p - person ?o - spot ?q - room ?s - spot ?r - room)
    :precondition (and (at ?p ?o) (within ?o ?q) (doorway ?q ?r) (middle ?s ?r))
    :effect (and (not (at ?p ?o)) (at ?p ?s) (not (dark ?r)))
)

;; to a piece of furniture in the same room
(:action approach
    :parameters (?p - person ?o - spot ?s - spot ?r - room ?f - place)
    :precondition (and
        (at ?p ?o) (within ?o ?r) (stands ?f ?r) (post ?f ?s) (not (= ?o ?s))
    )
    :effect (and
        (not (at ?p ?o)) (at ?p ?s)
        (when (surface ?f) (not (unsearched ?f)))
    )
)

(:action open
    :parameters (?p - person ?s - spot ?r - room ?f - place)
    :precondition (and
        (lidded ?f) (stands ?f ?r) (post ?f ?s) (at ?p ?s) (not (ajar ?f))
    )
    :effect (and (ajar ?f) (not (unsearched ?f)))
)

(:action close
    :parameters (?p - person ?s - spot ?f - place)
    :precondition (and (lidded ?f) (post ?f ?s) (at ?p ?s) (ajar ?f))
    :effect (not (ajar ?f))
)

;; with empty hands only
(:action take
    :parameters (?p - person ?s - spot ?x - thing ?f - place)
    :precondition (and
        (post ?f ?s) (at ?p ?s) (rests ?x ?f) (not (laden ?p))
        (or (surface ?f) (ajar ?f))
    )
    :effect (and (not (rests ?x ?f)) (held ?p ?x) (laden ?p))
)

(:action put
    :parameters (?p - person ?s - spot ?x - thing ?f - place)
    :precondition (and
        (post ?f ?s) (at ?p ?s) (held ?p ?x)
        (or (surface ?f) (ajar ?f))
    )
    :effect (and (not (held ?p ?x)) (not (laden ?p)) (rests ?x ?f))
)

(:action wash
    :parameters (?p - person ?s - spot ?x - thing ?f - place)
    :precondition (and (washes ?f) (post ?f ?s) (washable ?x) (at ?p ?s) (held ?p ?x))
    :effect (clean ?x)
)

(:action heat
    :parameters (?p - person ?s - spot ?x - thing ?f - place)
    :precondition (and (heats ?f) (post ?f ?s) (heatable ?x) (at ?p ?s) (held ?p ?x))
    :effect (and (hot ?x) (not (cold ?x)))
)

(:action cool
    :parameters (?p - person ?s - spot ?x - thing ?f - place)
    :precondition (and (chills ?f) (post ?f ?s) (chillable ?x) (at ?p ?s) (held ?p ?x))
    :effect (and (cold ?x) (not (hot ?x)))
)

(:action light
    :parameters (?p - person ?s - spot ?f - place)
    :precondition (and (glows ?f) (post ?f ?s) (at ?p ?s) (not (lit ?f)))
    :effect (lit ?f)
)

(:action look
    :parameters (?p - person ?s - spot ?r - room)
    :precondition (and (at ?p ?s) (within ?s ?r))
    :effect (attentive ?p)
)

(:action inventory
    :parameters (?p - person)
    :precondition ()
    :effect (attentive ?p)
)

(:action examine
    :parameters (?p - person ?x - thing)
    :precondition (held ?p ?x)
    :effect (attentive ?p)
)
)
